import { useQuery } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { addressWords } from "../../pages/contacts/contact.ts";
import { useText } from "../../text.ts";
import { nameOfChoice, type Choice } from "./search-list.tsx";

type Contact = components["schemas"]["Contact"];
type ContactGroup = components["schemas"]["ContactGroup"];

export interface Recipients {
  /** Contacts, each followed by its addresses. */
  readonly contacts: readonly Choice[];
  readonly groups: readonly Choice[];
  /** Whether all are loaded: until then, who is not among them may still be. */
  readonly isComplete: boolean;
}

/** Whom alerts can go to. */
export function useRecipients(): Recipients {
  const contacts = useQuery({ queryKey: ["contacts", "choices"], queryFn: loadContacts });
  const groups = useQuery({ queryKey: ["contactgroups", "choices"], queryFn: loadGroups });
  return {
    contacts: contacts.data ?? [],
    groups: groups.data ?? [],
    isComplete: contacts.data !== undefined && groups.data !== undefined,
  };
}

/** Returns names of recipients by ID. */
export function useRecipientNames(): (id: string | undefined) => string {
  const text = useText();
  const { contacts, groups, isComplete } = useRecipients();
  const names = new Map([...contacts, ...groups].map((each) => [each.id, nameOfChoice(each)]));
  return (id) => names.get(id ?? "") ?? (isComplete ? text("groups.gone") : "…");
}

async function loadContacts(): Promise<readonly Choice[]> {
  const all: readonly Contact[] = Object.values(await dataOf(api.GET("/contacts")));
  return all.flatMap(choicesOf);
}

async function loadGroups(): Promise<readonly Choice[]> {
  const all: readonly ContactGroup[] = Object.values(await dataOf(api.GET("/contactgroups")));
  return all.map(({ _id: id, name }) => ({ id, name: name || id }));
}

function choicesOf({ _id: id, name, addresses = {} }: Contact): readonly Choice[] {
  const known = name || id;
  return [
    { id, name: known },
    ...Object.entries(addresses).map(([each, address]) => ({
      id: each,
      name: known,
      hint: addressWords(address),
    })),
  ];
}

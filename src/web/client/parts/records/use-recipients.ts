import { useQuery } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import type { Choice } from "./search-list.tsx";

type Contact = components["schemas"]["Contact"];
type ContactGroup = components["schemas"]["ContactGroup"];

export interface Recipients {
  /** Contacts, each followed by its addresses. */
  readonly contacts: readonly Choice[];
  readonly groups: readonly Choice[];
}

/** Whom alerts can go to. */
export function useRecipients(): Recipients {
  const { data: contacts = [] } = useQuery({
    queryKey: ["contacts", "choices"],
    queryFn: loadContacts,
  });
  const { data: groups = [] } = useQuery({
    queryKey: ["contactgroups", "choices"],
    queryFn: loadGroups,
  });
  return { contacts, groups };
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
    ...Object.entries(addresses).map(([each, { address }]) => ({
      id: each,
      name: known,
      hint: address,
    })),
  ];
}

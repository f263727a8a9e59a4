import { TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";
import { AddressFields } from "./address-fields.tsx";
import { newAddress, roles, secretsOf, wireOf } from "./contact.ts";
import type { AddressInput, Contact, Role } from "./contact.ts";

interface Props {
  /** Undefined for a new one. */
  readonly contact?: Contact;
  readonly close: () => void;
}

interface Values {
  readonly name: string;
  readonly role: Role;
  /** The first of a new contact. */
  readonly address: AddressInput;
}

/** Creates a contact with its first address, or changes its name and role. */
export function ContactForm({ contact, close }: Props): ReactElement {
  const text = useText();
  const draft = useDraft<Values>({
    form: "contact",
    record: contact?._id,
    before: {
      name: contact?.name ?? "",
      role: contact?.custrole ?? "notify",
      address: newAddress,
    },
    secretsOf: (values) => (hasSecret(values.address) ? ["address"] : []),
  });
  const { name, role, address } = draft.values;
  const change = useChange({
    send: () => {
      const fields = { name, custrole: role };
      if (contact !== undefined)
        return dataOf(
          api.PUT("/contacts/{id}", { params: { path: { id: contact._id } }, body: fields }),
        );
      const { type } = address;
      const added = address.address.trim() === "" ? [] : [{ type, ...wireOf(address) }];
      const body = { ...fields, ...(added.length > 0 && { newaddresses: added }) };
      return dataOf(api.POST("/contacts", { body }));
    },
    refreshes: ["contacts"],
    done: text("records.saved"),
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text(contact === undefined ? "contacts.add" : "contacts.edit")}
      close={close}
      draft={draft}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["name", "custrole", "newaddresses"]}
    >
      <TextInput
        label={text("records.name")}
        value={name}
        maxLength={255}
        data-autofocus
        error={errorOf(refusal, "name")}
        onChange={(event) => draft.set({ name: event.currentTarget.value })}
      />
      <WordSelect
        label={text("contacts.roleLabel")}
        description={text(`contacts.roleHelp.${role}`)}
        value={role}
        words={roles}
        labelOf={(word) => text(`contacts.role.${word}`)}
        choose={(word) => draft.set({ role: word })}
        error={errorOf(refusal, "custrole")}
      />
      {contact === undefined && (
        <AddressFields
          value={address}
          change={(next) => draft.set({ address: next })}
          error={errorOf(refusal, "newaddresses")}
          mayChooseKind
        />
      )}
    </FormModal>
  );
}

function hasSecret(address: AddressInput): boolean {
  return secretsOf(address).some((name) => (address[name] ?? "") !== "");
}

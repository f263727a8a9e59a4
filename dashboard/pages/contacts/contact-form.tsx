import { Button, TextInput } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft, type Draft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";
import { AddressFields, shownFields } from "./address-fields.tsx";
import {
  hasSecret,
  isEntered,
  newAddress,
  roles,
  wireOf,
  type AddressInput,
  type Contact,
  type Role,
} from "./contact.ts";
import { TestAfterSave } from "./test-after-save.tsx";

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

function useContactDraft(contact: Contact | undefined): Draft<Values> {
  return useDraft<Values>({
    form: "contact",
    record: contact?._id,
    before: {
      name: contact?.name ?? "",
      role: contact?.custrole ?? "notify",
      address: newAddress,
    },
    secretsOf: (values) => (hasSecret(values.address) ? ["address"] : []),
  });
}

/** Creates a contact with its first address, or changes its name and role. */
export function ContactForm({ contact, close }: Props): ReactElement {
  const text = useText();
  const draft = useContactDraft(contact);
  const { name, role, address } = draft.values;
  const [tested, setTested] = useState<Contact>();
  const change = useChange({
    send: (_tests: boolean) => {
      const fields = { name, custrole: role };
      if (contact !== undefined)
        return dataOf(
          api.PUT("/contacts/{id}", { params: { path: { id: contact._id } }, body: fields }),
        );
      const { type } = address;
      const added = isEntered(address) ? [{ type, ...wireOf(address) }] : [];
      const body = { ...fields, ...(added.length > 0 && { newaddresses: added }) };
      return dataOf(api.POST("/contacts", { body }));
    },
    refreshes: ["contacts"],
    done: text("records.saved"),
    onDone: (written, tests) => {
      draft.clear();
      if (tests) setTested(written);
      else close();
    },
  });
  const refusal = refusalOf(change.error);
  if (tested !== undefined) return <TestAfterSave contact={tested} close={close} />;
  return (
    <FormModal
      title={text(contact === undefined ? "contacts.add" : "contacts.edit")}
      close={close}
      draft={draft}
      submit={() => change.mutate(false)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["name", "custrole", ...shownFields(refusal)]}
      action={
        contact === undefined &&
        isEntered(address) && (
          <Button variant="default" disabled={change.isPending} onClick={() => change.mutate(true)}>
            {text("contacts.saveAndTest")}
          </Button>
        )
      }
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
          refusal={refusal}
          mayChooseKind
        />
      )}
    </FormModal>
  );
}

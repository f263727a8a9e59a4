import { Button } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { Fields } from "../../parts/records/field.ts";
import { textField, wordField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { useText } from "../../text.ts";
import { addressField } from "./address-fields.tsx";
import {
  hasSecret,
  isEntered,
  roles,
  toBody,
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
  readonly custrole: Role;
  /** The first of a new contact. */
  readonly address: AddressInput;
}

const fields: Fields<Values> = {
  name: textField({ label: "records.name", maxLength: 255, isFirst: true }),
  custrole: wordField({
    label: "contacts.roleLabel",
    helpOf: (role) => `contacts.roleHelp.${role}`,
    initial: "notify",
    words: roles,
    labelOf: (word, text) => text(`contacts.role.${word}`),
  }),
  address: addressField,
};

/** Creates a contact with its first address, or changes its name and role. */
export function ContactForm({ contact, close }: Props): ReactElement {
  const text = useText();
  const [tested, setTested] = useState<Contact>();
  if (tested !== undefined) return <TestAfterSave contact={tested} close={close} />;
  return (
    <RecordForm
      title={contact === undefined ? "contacts.add" : "contacts.edit"}
      name="contact"
      record={contact?._id}
      fields={fields}
      known={contact}
      hidden={contact === undefined ? [] : ["address"]}
      secretsOf={({ address }) => (hasSecret(address) ? ["address"] : [])}
      send={({ address, ...body }) => {
        if (contact !== undefined)
          return dataOf(api.PUT("/contacts/{id}", { params: { path: { id: contact._id } }, body }));
        const added = isEntered(address) && {
          newaddresses: [{ type: address.type, ...toBody(address) }],
        };
        return dataOf(api.POST("/contacts", { body: { ...body, ...added } }));
      }}
      refreshes={["contacts"]}
      close={close}
      action={({ draft, isSending, save }) =>
        contact === undefined &&
        isEntered(draft.values.address) && (
          <Button variant="default" disabled={isSending} onClick={() => save(setTested)}>
            {text("contacts.saveAndTest")}
          </Button>
        )
      }
    />
  );
}

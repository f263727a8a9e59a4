import { Button } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { RecordForm } from "../../parts/records/record-form.tsx";
import { useText } from "../../text.ts";
import { addressField } from "./address-fields.tsx";
import {
  addressesWith,
  changeContact,
  hasSecret,
  inputOf,
  toBody,
  type Address,
  type Contact,
} from "./contact.ts";
import { TestAfterSave } from "./test-after-save.tsx";

interface Props {
  readonly contact: Contact;
  /** Undefined for a new one. */
  readonly known?: { readonly id: string; readonly address: Address };
  readonly close: () => void;
}

/** Adds an address to a contact, or changes one. */
export function AddressForm({ contact, known, close }: Props): ReactElement {
  const text = useText();
  const [tested, setTested] = useState<Contact>();
  if (tested !== undefined) return <TestAfterSave contact={tested} close={close} />;
  return (
    <RecordForm
      title={known === undefined ? "contacts.addAddress" : "contacts.editAddress"}
      name={`address/${contact._id}`}
      record={known?.id}
      fields={{ address: addressField }}
      known={known && { address: inputOf(known.address) }}
      secretsOf={({ address }) => (hasSecret(address) ? ["address"] : [])}
      send={({ address }) =>
        changeContact(
          contact,
          known === undefined
            ? { newaddresses: [{ type: address.type, ...toBody(address) }] }
            : { addresses: addressesWith(contact, { [known.id]: toBody(address) }) },
        )
      }
      refreshes={["contacts"]}
      close={close}
      action={({ isSending, save }) => (
        <Button variant="default" disabled={isSending} onClick={() => save(setTested)}>
          {text("contacts.saveAndTest")}
        </Button>
      )}
    />
  );
}

import { useState } from "react";
import type { ReactElement } from "react";

import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useText } from "../../text.ts";
import { AddressFields } from "./address-fields.tsx";
import { addressesWith, inputOf, newAddress, wireOf } from "./contact.ts";
import type { Address, Contact } from "./contact.ts";
import { useContactChange } from "./use-contact-change.ts";

interface Props {
  readonly contact: Contact;
  /** Undefined for a new one. */
  readonly known?: { readonly id: string; readonly address: Address };
  readonly close: () => void;
}

/** Adds an address to a contact, or changes one. */
export function AddressForm({ contact, known, close }: Props): ReactElement {
  const text = useText();
  const [address, setAddress] = useState(known === undefined ? newAddress : inputOf(known.address));
  const change = useContactChange(contact, close);
  const refusal = refusalOf(change.error);
  const submit = (): void =>
    change.mutate(
      known === undefined
        ? { newaddresses: [{ type: address.type, ...wireOf(address) }] }
        : { addresses: addressesWith(contact, { [known.id]: wireOf(address) }) },
    );
  return (
    <FormModal
      title={text(known === undefined ? "contacts.addAddress" : "contacts.editAddress")}
      close={close}
      submit={submit}
      isSending={change.isPending}
      refusal={refusal}
      fields={["addresses", "newaddresses"]}
    >
      <AddressFields
        value={address}
        change={setAddress}
        error={errorOf(refusal, "addresses", "newaddresses")}
        mayChooseKind={known === undefined}
      />
    </FormModal>
  );
}

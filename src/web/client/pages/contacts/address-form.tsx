import type { ReactElement } from "react";

import { useDraft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useText } from "../../text.ts";
import { AddressFields } from "./address-fields.tsx";
import { addressesWith, inputOf, newAddress, secretsOf, wireOf } from "./contact.ts";
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
  const draft = useDraft({
    form: "address",
    record: `${contact._id}.${known?.id ?? "new"}`,
    before: known === undefined ? newAddress : inputOf(known.address),
    secretsOf,
  });
  const address = draft.values;
  const change = useContactChange(contact, () => {
    draft.clear();
    close();
  });
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
      draft={draft}
      submit={submit}
      isSending={change.isPending}
      refusal={refusal}
      fields={["addresses", "newaddresses"]}
    >
      <AddressFields
        value={address}
        change={draft.set}
        error={errorOf(refusal, "addresses", "newaddresses")}
        mayChooseKind={known === undefined}
      />
    </FormModal>
  );
}

import { Button } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { useDraft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { refusalOf } from "../../parts/records/refusal.ts";
import { useText } from "../../text.ts";
import { AddressFields, shownFields } from "./address-fields.tsx";
import {
  addressesWith,
  hasSecret,
  inputOf,
  newAddress,
  wireOf,
  type Address,
  type Contact,
} from "./contact.ts";
import { TestAfterSave } from "./test-after-save.tsx";
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
    before: { address: known === undefined ? newAddress : inputOf(known.address) },
    secretsOf: (values) => (hasSecret(values.address) ? ["address"] : []),
  });
  const { address } = draft.values;
  const [tested, setTested] = useState<Contact>();
  const [isTesting, setTesting] = useState(false);
  const change = useContactChange(contact, (written) => {
    draft.clear();
    if (isTesting) setTested(written);
    else close();
  });
  const refusal = refusalOf(change.error);
  const submit = (tests: boolean): void => {
    setTesting(tests);
    change.mutate(
      known === undefined
        ? { newaddresses: [{ type: address.type, ...wireOf(address) }] }
        : { addresses: addressesWith(contact, { [known.id]: wireOf(address) }) },
    );
  };
  if (tested !== undefined) return <TestAfterSave contact={tested} close={close} />;
  return (
    <FormModal
      title={text(known === undefined ? "contacts.addAddress" : "contacts.editAddress")}
      close={close}
      draft={draft}
      submit={() => submit(false)}
      isSending={change.isPending}
      refusal={refusal}
      fields={shownFields(refusal)}
      action={
        <Button variant="default" disabled={change.isPending} onClick={() => submit(true)}>
          {text("contacts.saveAndTest")}
        </Button>
      }
    >
      <AddressFields
        value={address}
        change={(next) => draft.set({ address: next })}
        refusal={refusal}
        mayChooseKind={known === undefined}
      />
    </FormModal>
  );
}

import { Text } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { ConfirmModal } from "../../parts/records/confirm-modal.tsx";
import { Dependents } from "../../parts/records/dependents.tsx";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import { RecordActions, RecordCard } from "../../parts/records/record-card.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { AddressForm } from "./address-form.tsx";
import { AddressLine } from "./address-line.tsx";
import { addressesOf, type Contact } from "./contact.ts";
import { ContactForm } from "./contact-form.tsx";
import { TestButton } from "./test-button.tsx";

interface CardProps {
  readonly contact: Contact;
}

/** One contact with its addresses, and what can be done with it. */
export function ContactCard({ contact }: CardProps): ReactElement {
  const text = useText();
  const mayTest = useMay("edit");
  const mayChange = useMay("owner");
  const addresses = addressesOf(contact);
  const name = visibleText(contact.name) || text("records.unnamed");
  return (
    <RecordCard
      name={name}
      beside={
        <Text size="sm" c="dimmed">
          {text(`contacts.role.${contact.custrole}`)}
        </Text>
      }
      actions={
        mayTest && (
          <>
            {addresses.length > 0 && <TestButton contact={contact} />}
            {mayChange && <OwnerActions contact={contact} name={name} />}
          </>
        )
      }
    >
      {addresses.length === 0 && <Text size="sm">{text("contacts.noAddress")}</Text>}
      {addresses.map(([id, address]) => (
        <AddressLine key={id} contact={contact} id={id} address={address} />
      ))}
    </RecordCard>
  );
}

function OwnerActions({ contact, name }: CardProps & { readonly name: string }): ReactElement {
  const text = useText();
  const path = { params: { path: { id: contact._id } } };
  return (
    <>
      <DialogButton label={text("contacts.addAddress")}>
        {(close) => <AddressForm contact={contact} close={close} />}
      </DialogButton>
      <RecordActions
        name={name}
        form={(close) => <ContactForm contact={contact} close={close} />}
        remove={() => dataOf(api.DELETE("/contacts/{id}", path))}
        refreshes={["contacts"]}
        consequences={<Dependents of={{ id: contact._id }} />}
      >
        {contact.custrole !== "notify" && (
          <DialogButton label={text("contacts.resetPassword")}>
            {(close) => (
              <ConfirmModal
                title={text("contacts.resetTitle", { name })}
                close={close}
                send={() => dataOf(api.POST("/contacts/resetpassword/{id}", path))}
                refreshes={[]}
                done={text("contacts.passwordSent")}
                actLabel={text("contacts.resetPassword")}
              >
                <Text>{text("contacts.resetHelp")}</Text>
              </ConfirmModal>
            )}
          </DialogButton>
        )}
      </RecordActions>
    </>
  );
}

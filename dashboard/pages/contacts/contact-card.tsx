import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { Dependents } from "../../parts/records/dependents.tsx";
import { RecordCard } from "../../parts/records/record-card.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { AddressForm } from "./address-form.tsx";
import { AddressLine } from "./address-line.tsx";
import { addressesOf, type Contact } from "./contact.ts";
import { ContactForm } from "./contact-form.tsx";
import { TestButton } from "./test-button.tsx";

type Dialog = "edit" | "address" | "delete" | "password";

/** One contact with its addresses, and what can be done with it. */
export function ContactCard({ contact }: { readonly contact: Contact }): ReactElement {
  const text = useText();
  const mayTest = useMay("edit");
  const mayChange = useMay("owner");
  const [dialog, setDialog] = useState<Dialog>();
  const close = (): void => setDialog(undefined);
  const addresses = addressesOf(contact);
  const name = visibleText(contact.name) || text("records.unnamed");
  return (
    <RecordCard name={name}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            {name}
          </Title>
          <Text size="sm" c="dimmed">
            {text(`contacts.role.${contact.custrole}`)}
          </Text>
        </Group>
        {addresses.length === 0 && <Text size="sm">{text("contacts.noAddress")}</Text>}
        {addresses.map(([id, address]) => (
          <AddressLine key={id} contact={contact} id={id} address={address} />
        ))}
        <Group gap="xs">
          {mayTest && addresses.length > 0 && <TestButton contact={contact} />}
          {mayChange && (
            <>
              <Button size="xs" variant="default" onClick={() => setDialog("address")}>
                {text("contacts.addAddress")}
              </Button>
              <Button size="xs" variant="default" onClick={() => setDialog("edit")}>
                {text("common.edit")}
              </Button>
              {contact.custrole !== "notify" && (
                <Button size="xs" variant="default" onClick={() => setDialog("password")}>
                  {text("contacts.resetPassword")}
                </Button>
              )}
              <Button size="xs" variant="default" onClick={() => setDialog("delete")}>
                {text("common.delete")}
              </Button>
            </>
          )}
        </Group>
      </Stack>
      {dialog === "edit" && <ContactForm contact={contact} close={close} />}
      {dialog === "address" && <AddressForm contact={contact} close={close} />}
      {dialog === "delete" && <DeleteContact contact={contact} name={name} close={close} />}
      {dialog === "password" && <ResetPassword contact={contact} name={name} close={close} />}
    </RecordCard>
  );
}

interface DialogProps {
  readonly contact: Contact;
  readonly name: string;
  readonly close: () => void;
}

function DeleteContact({ contact, name, close }: DialogProps): ReactElement {
  const text = useText();
  const path = { params: { path: { id: contact._id } } };
  const change = useChange({
    send: () => dataOf(api.DELETE("/contacts/{id}", path)),
    refreshes: ["contacts"],
    done: text("records.deleted", { name }),
    onDone: close,
  });
  return (
    <DeleteModal
      title={text("records.deleteTitle", { name })}
      close={close}
      act={() => change.mutate(undefined)}
      isSending={change.isPending}
      error={change.error}
    >
      <Dependents of={{ id: contact._id }} />
    </DeleteModal>
  );
}

function ResetPassword({ contact, name, close }: DialogProps): ReactElement {
  const text = useText();
  const path = { params: { path: { id: contact._id } } };
  const change = useChange({
    send: () => dataOf(api.POST("/contacts/resetpassword/{id}", path)),
    refreshes: [],
    done: text("contacts.passwordSent"),
    onDone: close,
  });
  return (
    <DeleteModal
      title={text("contacts.resetTitle", { name })}
      close={close}
      act={() => change.mutate(undefined)}
      isSending={change.isPending}
      error={change.error}
      actLabel={text("contacts.resetPassword")}
    >
      <Text>{text("contacts.resetHelp")}</Text>
    </DeleteModal>
  );
}

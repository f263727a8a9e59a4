import { Alert, Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { recordOf } from "../../api/records.ts";
import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay, useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { addressWords, receiverText, settingWords, type Address } from "../contacts/contact.ts";

type Contact = components["schemas"]["Contact"];
type ContactTest = components["schemas"]["ContactTest"];

interface Step {
  readonly done: () => void;
}

/** Alert address of the signed-in user, with a test. */
export function AlertStep({ done }: Step): ReactElement {
  const text = useText();
  const { contact: id } = useSession();
  const contact = useQuery({
    queryKey: ["contacts", id],
    queryFn: async () => {
      const path = { id: id ?? "" };
      return recordOf<Contact>(await dataOf(api.GET("/contacts/{id}", { params: { path } })));
    },
    enabled: id !== undefined,
  });
  if (id === undefined)
    return (
      <Stack align="flex-start">
        <Text>{text("welcome.noContact")}</Text>
        <Button onClick={done}>{text("welcome.goOn")}</Button>
      </Stack>
    );
  return (
    <Loaded query={contact}>
      {(known) => <ContactTester id={id} contact={known} done={done} />}
    </Loaded>
  );
}

function ContactTester({
  id,
  contact,
  done,
}: Step & { readonly id: string; readonly contact: Contact }): ReactElement {
  const text = useText();
  const mayAdd = useMay("owner");
  const testing = useMutation({
    mutationFn: () => dataOf(api.POST("/contacts/test/{id}", { params: { path: { id } } })),
  });
  const addresses = Object.entries(contact.addresses ?? {});
  return (
    <Stack align="flex-start">
      <Text>{text(addresses.length === 0 ? "welcome.noAddress" : "welcome.addresses")}</Text>
      <List>
        {addresses.map(([key, address]) => (
          <List.Item key={key}>
            {receiverText({ kind: address.type, service: address.service }, text)}:{" "}
            <ForeignText>{shownAddress(address)}</ForeignText>
          </List.Item>
        ))}
      </List>
      {mayAdd && <AddressForm id={id} />}
      {testing.error !== null && (
        <Alert color="red" variant="outline" role="alert">
          {visibleText(testing.error.message)}
        </Alert>
      )}
      {testing.data !== undefined && <TestedAddresses contact={contact} test={testing.data} />}
      <Group>
        {addresses.length > 0 && (
          <Button
            variant={testing.data === undefined ? "filled" : "default"}
            loading={testing.isPending}
            onClick={() => testing.mutate()}
          >
            {text("welcome.sendTest")}
          </Button>
        )}
        <Button variant={testing.data === undefined ? "default" : "filled"} onClick={done}>
          {text(testing.data === undefined ? "welcome.skip" : "welcome.goOn")}
        </Button>
      </Group>
    </Stack>
  );
}

/** Without the credentials that the URL of a service has. */
function shownAddress(address: Address): string {
  return address.service === undefined ? address.address : settingWords(address);
}

interface TestedProps {
  readonly contact: Contact;
  readonly test: ContactTest;
}

function TestedAddresses({ contact, test: { addresses } }: TestedProps): ReactElement {
  const text = useText();
  const shownOf = (id: string, address: string): string => {
    const known = contact.addresses?.[id];
    return known?.service === undefined ? address : addressWords(known);
  };
  return (
    <div role="status">
      <List>
        {Object.entries(addresses).map(([key, { address, accepted, response }]) => (
          <List.Item key={key} c={accepted ? "var(--wp-up)" : "var(--wp-down)"}>
            <ForeignText>{shownOf(key, address)}</ForeignText>:{" "}
            {text(accepted ? "welcome.accepted" : "welcome.refused")}
            {!accepted && (
              <>
                {" – "}
                <ForeignText>{response}</ForeignText>
              </>
            )}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** One more address: a mailbox, or the URL of a webhook. */
function AddressForm({ id }: { readonly id: string }): ReactElement {
  const text = useText();
  const client = useQueryClient();
  const [entered, setEntered] = useState("");
  const adding = useMutation({
    mutationFn: (address: string) => {
      const type = /^https?:\/\//i.test(address) ? "webhook" : "email";
      return dataOf(
        api.PUT("/contacts/{id}", {
          params: { path: { id } },
          body: { newaddresses: [{ type, address }] },
        }),
      );
    },
    async onSuccess() {
      setEntered("");
      await client.invalidateQueries({ queryKey: ["contacts"] });
    },
  });
  return (
    <form
      noValidate
      style={{ width: "100%" }}
      onSubmit={(event) => {
        event.preventDefault();
        if (entered.trim() !== "") adding.mutate(entered.trim());
      }}
    >
      <Group align="flex-end">
        <TextInput
          flex={1}
          miw={220}
          label={text("welcome.address")}
          description={text("welcome.addressHelp")}
          value={entered}
          error={adding.error === null ? undefined : visibleText(adding.error.message)}
          onChange={(event) => setEntered(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={adding.isPending}>
          {text("common.add")}
        </Button>
      </Group>
    </form>
  );
}

import { Button, List } from "@mantine/core";
import { PaperAirplaneIcon } from "@primer/octicons-react";
import { useState, type ReactElement } from "react";

import { Dialog } from "../../parts/dialog.tsx";
import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { settingWords, type Contact } from "./contact.ts";

export type Tests = components["schemas"]["ContactTest"]["addresses"];

/** Sends a test message to each address, and shows what the receivers said. */
export function TestButton({ contact }: { readonly contact: Contact }): ReactElement {
  const text = useText();
  const [tests, setTests] = useState<Tests>();
  const path = { params: { path: { id: contact._id } } };
  const change = useChange({
    send: () => dataOf(api.POST("/contacts/test/{id}", path)),
    refreshes: ["contacts"],
    onDone: ({ addresses }) => setTests(addresses),
    toastsError: true,
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<PaperAirplaneIcon size={14} />}
        loading={change.isPending}
        onClick={() => change.mutate(undefined)}
      >
        {text("contacts.test")}
      </Button>
      {tests !== undefined && (
        <Dialog opened onClose={() => setTests(undefined)} title={text("contacts.tested")}>
          <TestResults contact={contact} tests={tests} />
        </Dialog>
      )}
    </>
  );
}

/** Responses of the receivers to a test message. */
export function TestResults({
  contact,
  tests,
}: {
  readonly contact: Contact;
  readonly tests: Tests;
}): ReactElement {
  const text = useText();
  return (
    <List>
      {Object.entries(tests).map(([id, { address, type, accepted, response }]) => {
        const known = contact.addresses?.[id];
        const service = known?.service;
        return (
          <List.Item key={id} c={accepted ? "var(--mantine-color-text)" : "var(--wp-down)"}>
            {text(accepted ? "contacts.accepted" : "contacts.notAccepted", {
              address: visibleText(service === undefined ? address : settingWords(known ?? {})),
              kind: service ?? text(`contacts.kind.${type}`),
              response: visibleText(response),
            })}
          </List.Item>
        );
      })}
    </List>
  );
}

import { Alert, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import type { Contact } from "./contact.ts";
import { TestResults } from "./test-button.tsx";

/** Sends a test message to a contact that was just saved, and shows what the receivers said. */
export function TestAfterSave({
  contact,
  close,
}: {
  readonly contact: Contact;
  readonly close: () => void;
}): ReactElement {
  const text = useText();
  const { _id: id } = contact;
  const test = useQuery({
    queryKey: ["contact-test", id],
    queryFn: () => dataOf(api.POST("/contacts/test/{id}", { params: { path: { id } } })),
    // Each is a message to people.
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Dialog opened onClose={close} title={text("contacts.tested")}>
      <div role="status">
        {test.isPending && <Loader size="sm" aria-label={text("contacts.testing")} />}
        {test.data !== undefined && <TestResults contact={contact} tests={test.data.addresses} />}
      </div>
      {test.error !== null && (
        <Alert color="red" variant="outline" role="alert">
          {visibleText(test.error.message)}
        </Alert>
      )}
    </Dialog>
  );
}

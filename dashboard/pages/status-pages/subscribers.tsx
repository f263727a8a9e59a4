import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { Dialog } from "../../parts/dialog.tsx";
import { DraftNotice } from "../../parts/draft/draft-notice.tsx";
import { leave } from "../../parts/draft/leaving.ts";
import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { ConfirmModal } from "../../parts/records/confirm-modal.tsx";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import type { ControlProps, Fields } from "../../parts/records/field.ts";
import { inputOf, wordField } from "../../parts/records/fields.tsx";
import { useRecordForm } from "../../parts/records/record-form.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import type { StatusPage, Subscriber, Subscribers } from "./status-page.ts";
import { SubscriberTable } from "./subscriber-table.tsx";

const MAX_LISTED = 1000;

interface Props {
  readonly page: Pick<StatusPage, "_id" | "name" | "subscribe">;
}

/** Opens the list of those who are notified of what is posted on a page. */
export function SubscribersButton({ page }: Props): ReactElement {
  const text = useText();
  return (
    <DialogButton
      label={text("subscribers.title")}
      aria-label={text("subscribers.of", { page: visibleText(page.name) })}
      w="fit-content"
    >
      {(close) => <SubscribersModal page={page} close={close} />}
    </DialogButton>
  );
}

async function loadSubscribers(page: string): Promise<Subscribers | undefined> {
  const query = { page, limit: MAX_LISTED };
  const found = await dataOf(api.GET("/subscribers", { params: { query } }));
  return "subscribers" in found ? found : undefined;
}

function SubscribersModal({ page, close }: Props & { readonly close: () => void }): ReactElement {
  const text = useText();
  const [removed, setRemoved] = useState<Subscriber>();
  const query = useQuery({
    queryKey: ["subscribers", page._id],
    queryFn: () => loadSubscribers(page._id),
  });
  if (removed !== undefined)
    return <RemoveModal subscriber={removed} close={() => setRemoved(undefined)} />;
  return (
    <Dialog
      opened
      onClose={() => leave(close)}
      size="xl"
      title={text("subscribers.of", { page: visibleText(page.name) })}
    >
      <Stack>
        <Text size="sm">{text(page.subscribe ? "subscribers.hint" : "subscribers.hintOff")}</Text>
        <Loaded query={query}>{(found) => <Listed found={found} remove={setRemoved} />}</Loaded>
        <AddSubscriber page={page._id} />
      </Stack>
    </Dialog>
  );
}

interface ListedProps {
  readonly found: Subscribers | undefined;
  readonly remove: (subscriber: Subscriber) => void;
}

function Listed({ found, remove }: ListedProps): ReactElement {
  const text = useText();
  const { pending = 0, confirmed = 0, webhooks = 0, subscribers = [] } = found ?? {};
  return (
    <>
      <Text role="status">{text("subscribers.counts", { pending, confirmed, webhooks })}</Text>
      {subscribers.length > 0 && <SubscriberTable subscribers={subscribers} remove={remove} />}
      {pending + confirmed > subscribers.length && (
        <Text size="sm">{text("subscribers.oldest", { count: subscribers.length })}</Text>
      )}
    </>
  );
}

interface RemoveProps {
  readonly subscriber: Subscriber;
  readonly close: () => void;
}

function RemoveModal({ subscriber: { _id, address }, close }: RemoveProps): ReactElement {
  const text = useText();
  return (
    <ConfirmModal
      title={text("subscribers.deleteTitle", { address: visibleText(address) })}
      close={close}
      send={() => dataOf(api.DELETE("/subscribers/{id}", { params: { path: { id: _id } } }))}
      refreshes={["subscribers"]}
      done={text("records.deleted", { name: visibleText(address) })}
    >
      <Text>{text("subscribers.deleteHint")}</Text>
    </ConfirmModal>
  );
}

type Kind = "webhook" | "email";

const fields: Fields<{ readonly kind: Kind; readonly address: string }> = {
  kind: wordField({
    label: "subscribers.addKind",
    initial: "webhook",
    words: ["webhook", "email"],
    labelOf: (word, text) => text(`subscribers.${word}`),
  }),
  address: {
    label: "subscribers.addAddress",
    help: "subscribers.addHint",
    initial: "",
    Control: AddressInput,
    // There is no room for another sentence.
    isAbout: () => true,
  },
};

function AddressInput(props: ControlProps<string>): ReactElement {
  return (
    <TextInput
      {...inputOf(props)}
      flex="1 1 14rem"
      inputWrapperOrder={["label", "input", "error", "description"]}
      maxLength={2000}
      onChange={(event) => props.change(event.currentTarget.value)}
    />
  );
}

/** Adds a webhook, or has the owner of a mailbox asked. */
function AddSubscriber({ page }: { readonly page: string }): ReactElement {
  const text = useText();
  const form = useRecordForm({
    name: "subscriber",
    record: page,
    fields,
    // Anybody can post to the URL of a webhook.
    secretsOf: ({ kind }) => (kind === "webhook" ? ["address"] : []),
    send: (values) => dataOf(api.POST("/subscribers", { body: { page, ...values } })),
    refreshes: ["subscribers"],
    done: "subscribers.added",
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.save();
      }}
    >
      <DraftNotice draft={form.draft} />
      <Group align="flex-start" gap="sm">
        {form.draw("kind")}
        {form.draw("address")}
        <Button type="submit" mt="1.6rem" variant="default" loading={form.isSending}>
          {text("subscribers.add")}
        </Button>
      </Group>
    </form>
  );
}

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { Dialog } from "../../parts/dialog.tsx";
import { DraftNotice } from "../../parts/draft/draft-notice.tsx";
import { leave } from "../../parts/draft/leaving.ts";
import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import type { StatusPage, Subscriber, Subscribers } from "./status-page.ts";
import { SubscriberTable } from "./subscriber-table.tsx";

const MOST_LISTED = 1000;

interface Props {
  readonly page: Pick<StatusPage, "_id" | "name" | "subscribe">;
}

/** Opens the list of those who are notified of what is posted on a page. */
export function SubscribersButton({ page }: Props): ReactElement {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const name = visibleText(page.name);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        aria-label={text("subscribers.of", { page: name })}
        onClick={() => setOpen(true)}
      >
        {text("subscribers.title")}
      </Button>
      {isOpen && <SubscribersModal page={page} close={() => setOpen(false)} />}
    </>
  );
}

async function loadSubscribers(page: string): Promise<Subscribers | undefined> {
  const query = { page, limit: MOST_LISTED };
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
  const path = { params: { path: { id: _id } } };
  const removal = useChange({
    send: () => dataOf(api.DELETE("/subscribers/{id}", path)),
    refreshes: ["subscribers"],
    done: text("records.deleted", { name: visibleText(address) }),
    onDone: close,
  });
  return (
    <DeleteModal
      title={text("subscribers.deleteTitle", { address: visibleText(address) })}
      close={close}
      act={() => removal.mutate(undefined)}
      isSending={removal.isPending}
      error={removal.error}
    >
      <Text>{text("subscribers.deleteHint")}</Text>
    </DeleteModal>
  );
}

const kinds = ["webhook", "email"] as const;

const nobody: { readonly kind: (typeof kinds)[number]; readonly address: string } = {
  kind: "webhook",
  address: "",
};

/** Adds a webhook, or has the owner of a mailbox asked. */
function AddSubscriber({ page }: { readonly page: string }): ReactElement {
  const text = useText();
  const draft = useDraft({
    form: "subscriber",
    record: page,
    before: nobody,
    // Anybody can post to the URL of a webhook.
    secretsOf: (values) => (values.kind === "webhook" ? ["address"] : []),
  });
  const { kind, address } = draft.values;
  const adding = useChange({
    send: () => dataOf(api.POST("/subscribers", { body: { page, kind, address } })),
    refreshes: ["subscribers"],
    done: text("subscribers.added"),
    onDone: draft.clear,
  });
  const refusal = refusalOf(adding.error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate(undefined);
      }}
    >
      <DraftNotice draft={draft} />
      <Group align="flex-start" gap="sm">
        <WordSelect
          label={text("subscribers.addKind")}
          value={kind}
          words={kinds}
          labelOf={(word) => text(`subscribers.${word}`)}
          choose={(word) => draft.set({ kind: word })}
        />
        <TextInput
          flex="1 1 14rem"
          label={text("subscribers.addAddress")}
          description={text("subscribers.addHint")}
          inputWrapperOrder={["label", "input", "error", "description"]}
          value={address}
          maxLength={2000}
          error={errorOf(refusal, "address") ?? refusal?.sentence}
          onChange={(event) => draft.set({ address: event.currentTarget.value })}
        />
        <Button type="submit" mt="1.6rem" variant="default" loading={adding.isPending}>
          {text("subscribers.add")}
        </Button>
      </Group>
    </form>
  );
}

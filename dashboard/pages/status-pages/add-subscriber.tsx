import { Button, Group, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { DraftNotice } from "../../parts/draft/draft-notice.tsx";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";

const kinds = ["webhook", "email"] as const;
const nobody: { readonly kind: (typeof kinds)[number]; readonly address: string } = {
  kind: "webhook",
  address: "",
};

/** Adds a webhook, or has the owner of a mailbox asked. */
export function AddSubscriber({ page }: { readonly page: string }): ReactElement {
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

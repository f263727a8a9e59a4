import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";

const kinds = ["webhook", "email"] as const;

/** Adds a webhook, or has the owner of a mailbox asked. */
export function AddSubscriber({ page }: { readonly page: string }): ReactElement {
  const text = useText();
  const [kind, setKind] = useState<(typeof kinds)[number]>("webhook");
  const [address, setAddress] = useState("");
  const adding = useChange({
    send: () => dataOf(api.POST("/subscribers", { body: { page, kind, address } })),
    refreshes: ["subscribers"],
    done: text("subscribers.added"),
    onDone: () => setAddress(""),
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
      <Group align="flex-start" gap="sm">
        <WordSelect
          label={text("subscribers.addKind")}
          value={kind}
          words={kinds}
          labelOf={(word) => text(`subscribers.${word}`)}
          choose={setKind}
        />
        <TextInput
          flex="1 1 14rem"
          label={text("subscribers.addAddress")}
          description={text("subscribers.addHint")}
          inputWrapperOrder={["label", "input", "error", "description"]}
          value={address}
          maxLength={2000}
          error={errorOf(refusal, "address") ?? refusal?.sentence}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button type="submit" mt="1.6rem" variant="default" loading={adding.isPending}>
          {text("subscribers.add")}
        </Button>
      </Group>
    </form>
  );
}

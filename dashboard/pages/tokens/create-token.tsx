import { NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { useText } from "../../text.ts";

interface Props {
  readonly close: () => void;
  readonly created: (secret: string) => void;
}

const accesses = ["write", "read"] as const;
const lifetimes = ["", "30", "90", "365"] as const;
const nothing: {
  readonly label: string;
  readonly access: (typeof accesses)[number];
  readonly days: string;
} = { label: "", access: "read", days: "" };
const DAY_MS = 86_400_000;

/** Asks what a token is for, what it may do and how long. */
export function CreateToken({ close, created }: Props): ReactElement {
  const text = useText();
  const draft = useDraft({ form: "token", before: nothing });
  const { label, access, days } = draft.values;
  const creation = useChange({
    send: () =>
      dataOf(
        api.POST("/tokens", {
          body: {
            label,
            access,
            ...(days !== "" && { expires: Date.now() + Number(days) * DAY_MS }),
          },
        }),
      ),
    refreshes: ["tokens"],
    onDone({ token }) {
      draft.clear();
      created(token);
    },
  });
  const refusal = refusalOf(creation.error);
  return (
    <FormModal
      title={text("tokens.create")}
      close={close}
      draft={draft}
      submit={() => creation.mutate(undefined)}
      isSending={creation.isPending}
      refusal={refusal}
      fields={["label", "expires"]}
      submitLabel={text("tokens.create")}
    >
      <TextInput
        label={text("tokens.label")}
        description={text("tokens.labelHint")}
        value={label}
        error={errorOf(refusal, "label")}
        maxLength={100}
        data-autofocus
        onChange={(event) => draft.set({ label: event.currentTarget.value })}
      />
      <Radio.Group
        label={text("tokens.access")}
        value={access}
        onChange={(value) =>
          draft.set({ access: accesses.find((each) => each === value) ?? "read" })
        }
      >
        <Stack gap="xs" mt={4}>
          {accesses.map((each) => (
            <Radio key={each} value={each} label={text(`tokens.${each}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <NativeSelect
        label={text("tokens.ends")}
        value={days}
        error={errorOf(refusal, "expires")}
        data={lifetimes.map((each) => ({
          value: each,
          label: each === "" ? text("tokens.never") : text("tokens.days", { days: Number(each) }),
        }))}
        onChange={(event) => draft.set({ days: event.currentTarget.value })}
      />
    </FormModal>
  );
}

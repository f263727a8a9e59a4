import { Radio, Stack } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { ControlProps, Fields } from "../../parts/records/field.ts";
import { textField, wordField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { useText } from "../../text.ts";

interface Props {
  readonly close: () => void;
  readonly created: (secret: string) => void;
}

const accesses = ["write", "read"] as const;
type Access = (typeof accesses)[number];

interface Values {
  readonly label: string;
  readonly access: Access;
  readonly days: "" | "30" | "90" | "365";
}

const DAY_MS = 86_400_000;

const fields: Fields<Values> = {
  label: textField({
    label: "tokens.label",
    help: "tokens.labelHint",
    maxLength: 100,
    isFirst: true,
  }),
  access: { label: "tokens.access", initial: "read", Control: AccessRadios },
  days: wordField({
    label: "tokens.ends",
    initial: "",
    words: ["", "30", "90", "365"],
    labelOf: (word, text) =>
      word === "" ? text("tokens.never") : text("tokens.days", { days: Number(word) }),
    isAbout: ({ field }) => field === "expires",
  }),
};

/** Asks what a token is for, what it may do and how long. */
export function CreateToken({ close, created }: Props): ReactElement {
  return (
    <RecordForm
      title="tokens.create"
      name="token"
      fields={fields}
      send={({ days, ...rest }) => {
        const expires = days !== "" && { expires: Date.now() + Number(days) * DAY_MS };
        return dataOf(api.POST("/tokens", { body: { ...rest, ...expires } }));
      }}
      refreshes={["tokens"]}
      done={null}
      submitLabel={() => "tokens.create"}
      onSaved={({ token }) => created(token)}
      close={close}
    />
  );
}

type AccessProps = Pick<ControlProps<Access>, "label" | "value" | "change" | "error">;

function AccessRadios({ label, value, change, error }: AccessProps): ReactElement {
  const text = useText();
  return (
    <Radio.Group label={label} value={value} error={error} onChange={change}>
      <Stack gap="xs" mt={4}>
        {accesses.map((each) => (
          <Radio key={each} value={each} label={text(`tokens.${each}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

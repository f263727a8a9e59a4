import { Checkbox, Fieldset, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { WordSelect } from "../../parts/records/word-select.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { actions, addressKinds } from "./contact.ts";
import type { AddressInput } from "./contact.ts";

interface Props {
  readonly value: AddressInput;
  readonly change: (value: AddressInput) => void;
  readonly error: string | undefined;
  readonly mayChooseKind: boolean;
}

const switches = [
  "suppressdown",
  "suppressup",
  "suppressfirst",
  "suppressdiag",
  "suppressall",
] as const;

/** The kind of an address, the address itself, and what goes there. */
export function AddressFields({ value, change, error, mayChooseKind }: Props): ReactElement {
  const text = useText();
  const { type } = value;
  return (
    <>
      {mayChooseKind && (
        <WordSelect
          label={text("contacts.kindLabel")}
          value={type}
          words={addressKinds}
          labelOf={(kind) => text(`contacts.kind.${kind}`)}
          choose={(kind) => change({ ...value, type: kind })}
        />
      )}
      <TextInput
        label={text(`contacts.address.${type}`)}
        placeholder={text(`contacts.example.${type}`)}
        value={value.address}
        type={type === "email" ? "email" : "text"}
        inputMode={type === "sms" || type === "voice" ? "tel" : undefined}
        autoComplete="off"
        error={error === undefined ? undefined : visibleText(error)}
        onChange={(event) => change({ ...value, address: event.currentTarget.value })}
      />
      {type === "webhook" && <WebhookFields value={value} change={change} />}
      {type === "pushover" && (
        <NativeSelect
          label={text("contacts.priority")}
          value={value.priority ?? "2"}
          data={["-2", "-1", "0", "1", "2"]}
          onChange={(event) => change({ ...value, priority: event.currentTarget.value })}
        />
      )}
      <Fieldset legend={text("contacts.sends")}>
        <Stack gap="xs">
          {switches.map((name) => (
            <Checkbox
              key={name}
              label={text(`contacts.${name}`)}
              checked={value[name]}
              onChange={(event) => change({ ...value, [name]: event.currentTarget.checked })}
            />
          ))}
          <Checkbox
            label={text("contacts.mute")}
            checked={value.mute !== false}
            onChange={(event) => change({ ...value, mute: event.currentTarget.checked })}
          />
        </Stack>
      </Fieldset>
    </>
  );
}

function WebhookFields({ value, change }: Pick<Props, "value" | "change">): ReactElement {
  const text = useText();
  return (
    <>
      <WordSelect
        label={text("contacts.method")}
        value={value.action ?? "post"}
        words={actions}
        labelOf={(action) => action.toUpperCase()}
        choose={(action) => change({ ...value, action })}
      />
      {(["headers", "querystrings"] as const).map((name) => (
        <TextInput
          key={name}
          label={text(`contacts.${name}`)}
          description={text("contacts.jsonHelp")}
          placeholder='{"name": "value"}'
          value={value[name] ?? ""}
          onChange={(event) => change({ ...value, [name]: event.currentTarget.value })}
        />
      ))}
      <Textarea
        label={text("contacts.body")}
        description={text("contacts.bodyHelp")}
        autosize
        minRows={2}
        maxRows={10}
        value={value.data ?? ""}
        onChange={(event) => change({ ...value, data: event.currentTarget.value })}
      />
    </>
  );
}

import {
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { ReactElement } from "react";

import { Loaded } from "../../parts/loaded.tsx";
import type { ControlProps, Field } from "../../parts/records/field.ts";
import type { Refusal } from "../../parts/records/refusal.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { useForms } from "../check-edit/queries.ts";
import { actions, newAddress, type AddressInput } from "./contact.ts";
import { ReceiverSelect } from "./receiver-select.tsx";
import { ServiceFields } from "./service-fields.tsx";
import { ServiceMark } from "./service-mark.tsx";

type AddressProps = Pick<ControlProps<AddressInput>, "value" | "change" | "form">;

const switches = [
  "suppressdown",
  "suppressup",
  "suppressfirst",
  "suppressdiag",
  "suppressall",
] as const;

/** An address; what is refused of a member that has a field is said there alone. */
export const addressField: Field<AddressInput> = {
  initial: newAddress,
  Control: AddressFields,
  isAbout: ({ field = "" }) => /^(?:new)?addresses\.[^.]+\.(?:address|settings\..+)$/.test(field),
};

/** Receiver of an address, its settings, and the messages it gets. */
function AddressFields({ value, change, form: state }: AddressProps): ReactElement {
  const text = useText();
  const forms = useForms();
  const { type, service } = value;
  const { refusal, isNew } = state;
  return (
    <Loaded query={forms}>
      {(all) => {
        const form = all.services.find((each) => each.service === service);
        const name = service ?? text(`contacts.kind.${type}`);
        return (
          <>
            {isNew ? (
              <ReceiverSelect forms={all} value={value} change={change} />
            ) : (
              <Group gap="xs" wrap="nowrap">
                <ServiceMark name={name} />
                <Text fw={600}>{name}</Text>
              </Group>
            )}
            {form === undefined ? (
              <PlainFields value={value} change={change} error={errorAt(refusal, "address")} />
            ) : (
              <ServiceFields
                form={form}
                value={value}
                change={change}
                errorOf={(field) => errorAt(refusal, field)}
              />
            )}
            {hasRequest(value) && <WebhookFields value={value} change={change} />}
            <Suppressions value={value} change={change} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Returns the error of a member of the address. */
function errorAt(refusal: Refusal | undefined, member: string): string | undefined {
  const field = refusal?.field ?? "";
  const isAbout = /^(?:new)?addresses\./.test(field) && field.endsWith(`.${member}`);
  return isAbout ? refusal?.sentence : undefined;
}

/** Returns whether a request of its own is shown: for one's own programs, and where an address has one. */
function hasRequest({ type, service, ...request }: AddressInput): boolean {
  if (type !== "webhook") return false;
  const { action, headers, querystrings, data } = request;
  return (
    [action, headers, querystrings, data].some((part) => part !== undefined) ||
    service === undefined
  );
}

type FieldProps = Pick<AddressProps, "value" | "change">;

function PlainFields({
  value,
  change,
  error,
}: FieldProps & { readonly error: string | undefined }): ReactElement {
  const text = useText();
  const { type } = value;
  return (
    <>
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
      {type === "pushover" && (
        <NativeSelect
          label={text("contacts.priority")}
          value={value.priority ?? "2"}
          data={["-2", "-1", "0", "1", "2"]}
          onChange={(event) => change({ ...value, priority: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function Suppressions({ value, change }: FieldProps): ReactElement {
  const text = useText();
  return (
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
  );
}

function WebhookFields({ value, change }: FieldProps): ReactElement {
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

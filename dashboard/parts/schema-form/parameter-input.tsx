import { NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import type { ChangeEvent, ReactElement, Ref } from "react";
import { useController, type Control } from "react-hook-form";

import { useText } from "../../text.ts";
import {
  metricRows,
  pairRows,
  type FormParameter,
  type FormValue,
  type FormValues,
} from "./form-values.ts";
import { MetricsInput } from "./metrics-input.tsx";
import { PairsInput } from "./pairs-input.tsx";

interface Props {
  readonly parameter: FormParameter;
  readonly control: Control<FormValues>;
}

/** One parameter, entered in the way that its value asks for; the message of the server is below it. */
export function ParameterInput({ parameter, control }: Props): ReactElement {
  const { name, input, title, help, required } = parameter;
  const { field, fieldState } = useController({ control, name });
  const { value, ref, onChange, onBlur } = field;
  const common = {
    label: title,
    description: help === "" ? undefined : help,
    error: fieldState.error?.message,
  };
  if (input === "pairs")
    return <PairsInput {...common} value={pairRows(value)} onChange={onChange} />;
  if (input === "metrics")
    return <MetricsInput {...common} value={metricRows(value)} onChange={onChange} />;
  const bound = { ...common, name, ref, onBlur };
  if (input === "switch")
    return (
      <Switch
        {...bound}
        // The library makes the description a part of the name.
        aria-label={title}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  if (input === "choice")
    return (
      <Select
        {...bound}
        data={(parameter.choices ?? []).map((each) => ({ value: each.value, label: each.title }))}
        value={textOf(value)}
        allowDeselect={false}
        onChange={(chosen) => onChange(chosen ?? "")}
      />
    );
  if (input === "integer" || input === "number")
    return (
      <NumberInput
        {...bound}
        value={typeof value === "number" ? value : textOf(value)}
        placeholder={placeholderOf(parameter)}
        min={parameter.minimum}
        max={parameter.maximum}
        // The server says what is wrong with a number; another one in its place would be nobody's.
        clampBehavior="none"
        allowDecimal={input === "number"}
        withAsterisk={required}
        onChange={onChange}
      />
    );
  return (
    <TextualInput
      parameter={parameter}
      bound={{ ...bound, value: textOf(value), onChange: (text) => onChange(text) }}
    />
  );
}

interface TextualProps {
  readonly parameter: FormParameter;
  readonly bound: {
    readonly label: string;
    readonly description: string | undefined;
    readonly error: string | undefined;
    readonly name: string;
    readonly ref: Ref<never>;
    readonly onBlur: () => void;
    readonly value: string;
    readonly onChange: (text: string) => void;
  };
}

const MAX_ROWS = 12;

function TextualInput({ parameter, bound }: TextualProps): ReactElement {
  const text = useText();
  const { input, required, maxLength } = parameter;
  const props = {
    ...bound,
    placeholder: placeholderOf(parameter),
    maxLength,
    // The browser would speak before the server does, and in its own words.
    "aria-required": required,
    withAsterisk: required,
    spellCheck: false,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      bound.onChange(event.currentTarget.value),
  };
  if (input === "text") return <Textarea {...props} autosize minRows={1} maxRows={MAX_ROWS} />;
  if (input === "password")
    return (
      <PasswordInput
        {...props}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": text("common.showPassword") }}
      />
    );
  return <TextInput {...props} autoComplete="off" />;
}

function textOf(value: FormValue): string {
  return typeof value === "object" ? "" : String(value);
}

function placeholderOf({ default: fallback, example, input }: FormParameter): string | undefined {
  if (fallback !== undefined) return String(fallback);
  const isShown =
    input !== "password" && (typeof example === "string" || typeof example === "number");
  return isShown ? String(example) : undefined;
}

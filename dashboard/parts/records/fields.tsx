import { PasswordInput, Switch, Textarea, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import type { MessageId } from "../../locales/catalogue.ts";
import { useText, type Text } from "../../text.ts";
import { MarkdownField } from "../markdown-field.tsx";
import type { ControlProps, Declared, Field } from "./field.ts";
import { SearchList, type Choice } from "./search-list.tsx";
import { WordSelect } from "./word-select.tsx";

/** What every input shows of its field. */
export function inputOf<Value>({
  label,
  description,
  value,
  error,
  readOnly,
}: Pick<ControlProps<Value>, "label" | "description" | "value" | "error" | "readOnly">) {
  return { label, description, value, error, readOnly };
}

interface TextOptions {
  readonly type?: "text" | "email" | "number";
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly inputMode?: "numeric";
  readonly required?: boolean;
  readonly autoComplete?: "off";
  readonly placeholder?: MessageId;
  /** Whether it has the focus when the form opens. */
  readonly isFirst?: boolean;
  /** The help for a record that exists, whose value cannot be changed. */
  readonly fixed?: MessageId;
}

/** One line of text. */
export function textField<Values extends object>(
  declared: Declared<string, Values> & TextOptions,
): Field<string, Values> {
  const {
    type = "text",
    maxLength,
    min,
    max,
    inputMode,
    required = false,
    autoComplete,
  } = declared;
  const { placeholder, isFirst = false, fixed } = declared;
  return {
    initial: "",
    ...declared,
    Control(props) {
      const text = useText();
      const isFixed = fixed !== undefined && !props.form.isNew;
      return (
        <TextInput
          {...inputOf(props)}
          {...{ type, maxLength, min, max, inputMode, required, autoComplete }}
          {...(isFirst && { "data-autofocus": true })}
          {...(isFixed && { description: text(fixed), disabled: true })}
          placeholder={placeholder === undefined ? undefined : text(placeholder)}
          onChange={(event) => props.change(event.currentTarget.value)}
        />
      );
    },
  };
}

/** Some lines of text. */
export function linesField<Values extends object>(
  declared: Declared<string, Values> & Pick<TextOptions, "placeholder">,
): Field<string, Values> {
  const { placeholder } = declared;
  return {
    initial: "",
    ...declared,
    Control(props) {
      const text = useText();
      return (
        <Textarea
          {...inputOf(props)}
          placeholder={placeholder === undefined ? undefined : text(placeholder)}
          autosize
          minRows={3}
          maxRows={16}
          onChange={(event) => props.change(event.currentTarget.value)}
        />
      );
    },
  };
}

/** A text in Markdown. */
export function markdownField<Values extends object>(
  declared: Declared<string, Values>,
): Field<string, Values> {
  return { initial: "", ...declared, Control: MarkdownField };
}

/** A password to set: the stored one is never shown. */
export function passwordField<Values extends object>(
  declared: Declared<string, Values> & Pick<TextOptions, "maxLength">,
): Field<string, Values> {
  const { maxLength } = declared;
  return {
    initial: "",
    ...declared,
    Control(props) {
      const text = useText();
      return (
        <PasswordInput
          {...inputOf(props)}
          maxLength={maxLength}
          visibilityToggleButtonProps={{ "aria-label": text("common.showPassword") }}
          autoComplete="new-password"
          onChange={(event) => props.change(event.currentTarget.value)}
        />
      );
    },
  };
}

/** Something that is so, or not. */
export function switchField<Values extends object>(
  declared: Declared<boolean, Values>,
): Field<boolean, Values> {
  return {
    initial: false,
    ...declared,
    Control: ({ label, description, value, change, error }) => (
      <Switch
        label={label}
        // Otherwise the help would be part of its name.
        aria-label={description === undefined ? undefined : label}
        description={description}
        checked={value}
        error={error}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    ),
  };
}

interface WordOptions<Word extends string> {
  readonly words: readonly Word[];
  readonly labelOf: (word: Word, text: Text) => string;
}

/** One of some known words, the first unless another is the initial one. */
export function wordField<Word extends string, Values extends object>(
  declared: Declared<Word, Values> & { readonly initial: Word } & WordOptions<Word>,
): Field<Word, Values> {
  const { words, labelOf } = declared;
  return {
    ...declared,
    Control({ label, description, value, change, error }) {
      const text = useText();
      return (
        <WordSelect
          {...{ label, value, words, error }}
          {...(description !== undefined && { description })}
          labelOf={(word) => labelOf(word, text)}
          choose={change}
        />
      );
    },
  };
}

/** Ids of some records among many. */
export function recordsField<Values extends object>(
  declared: Declared<string[], Values> & { readonly useChoices: () => readonly Choice[] },
): Field<string[], Values> {
  const { useChoices } = declared;
  return {
    initial: [],
    ...declared,
    Control: function Records({ label, value, change, error }): ReactElement {
      return (
        <SearchList
          {...{ label, error }}
          choices={useChoices()}
          chosen={value}
          choose={(ids) => change([...ids])}
        />
      );
    },
  };
}

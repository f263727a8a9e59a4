import { Anchor, Checkbox, NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import { Fragment, type ReactElement } from "react";

import type { FormParameter } from "../../parts/schema-form/form-values.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import type { Forms } from "../check-edit/queries.ts";
import type { AddressInput } from "./contact.ts";

interface Props {
  readonly form: Forms["services"][number];
  readonly value: AddressInput;
  readonly change: (value: AddressInput) => void;
  readonly errorOf: (name: string) => string | undefined;
}

/** The values that a service gives people. Stored credentials are not shown, and stay where nothing is entered. */
export function ServiceFields({ form, value, change, errorOf }: Props): ReactElement {
  const text = useText();
  const { settings, stored, removed = [] } = value;
  return (
    <>
      <Anchor href={form.guide} target="_blank" rel="noreferrer" size="sm">
        {text("contacts.guide", { name: form.service })}
      </Anchor>
      {settings === undefined ? (
        <SettingInput
          parameter={{
            name: "address",
            title: text("contacts.address.webhook"),
            help: "",
            input: "password",
            required: true,
            advanced: false,
          }}
          value={value.address}
          isStored
          error={errorOf("address")}
          enter={(address) => change({ ...value, address })}
        />
      ) : (
        form.parameters.map((parameter) => {
          const { name, title, required } = parameter;
          const isStored = stored?.[name] === null;
          const isRemoved = removed.includes(name);
          const enter = (entered: string): AddressInput => ({
            ...value,
            settings: { ...settings, [name]: entered },
          });
          return (
            <Fragment key={name}>
              <SettingInput
                parameter={parameter}
                value={settings[name] ?? ""}
                isStored={isStored && !isRemoved}
                isDisabled={isRemoved}
                error={errorOf(`settings.${name}`)}
                enter={(entered) => change(enter(entered))}
              />
              {isStored && !required && (
                <Checkbox
                  label={text("contacts.removeSecret", { name: title })}
                  checked={isRemoved}
                  onChange={(event) =>
                    change({
                      ...enter(""),
                      removed: event.currentTarget.checked
                        ? [...removed, name]
                        : removed.filter((each) => each !== name),
                    })
                  }
                />
              )}
            </Fragment>
          );
        })
      )}
    </>
  );
}

interface InputProps {
  readonly parameter: FormParameter;
  readonly value: string;
  /** Whether it is a credential that is stored. */
  readonly isStored: boolean;
  readonly isDisabled?: boolean;
  readonly error: string | undefined;
  readonly enter: (value: string) => void;
}

function SettingInput({
  parameter,
  value,
  isStored,
  isDisabled = false,
  error,
  enter,
}: InputProps): ReactElement {
  const text = useText();
  const { title, help, input, required, choices = [], example } = parameter;
  const common = {
    label: title,
    description: help === "" ? undefined : help,
    error: error === undefined ? undefined : visibleText(error),
    "aria-required": required && !isStored,
    withAsterisk: required && !isStored,
    value,
    disabled: isDisabled,
    onChange: (event: { readonly currentTarget: { readonly value: string } }): void =>
      enter(event.currentTarget.value),
  };
  if (input === "choice")
    return (
      <NativeSelect
        {...common}
        data={[
          ...(required ? [] : [{ value: "", label: text("contacts.byDefault") }]),
          ...choices.map((choice) => ({ value: choice.value, label: choice.title })),
        ]}
      />
    );
  if (input === "password")
    return (
      <PasswordInput
        {...common}
        placeholder={isStored ? text("contacts.secretKept") : undefined}
        autoComplete="new-password"
        spellCheck={false}
        visibilityToggleButtonProps={{ "aria-label": text("common.showPassword") }}
      />
    );
  return (
    <TextInput
      {...common}
      placeholder={typeof example === "string" ? example : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

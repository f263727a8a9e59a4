import { ActionIcon, Button, Group, Input, Stack, TextInput } from "@mantine/core";
import { PlusIcon, XIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";

import { useText } from "../../text.ts";
import type { Pair } from "./form-values.ts";

interface Props {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly value: readonly Pair[];
  readonly onChange: (rows: readonly Pair[]) => void;
}

/** Names with a value each. */
export function PairsInput(props: Props): ReactElement {
  const { label, description, error, value: rows, onChange } = props;
  const text = useText();
  const change = (index: number, changes: Partial<Pair>): void =>
    onChange(rows.map((row, each) => (each === index ? { ...row, ...changes } : row)));
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" mt={4} role="group" aria-label={label}>
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a row has nothing else that stays while it is typed
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={text("forms.nameOfRow", { row: index + 1, list: label })}
              placeholder={text("forms.name")}
              value={row.name}
              spellCheck={false}
              onChange={(event) => change(index, { name: event.currentTarget.value })}
            />
            <TextInput
              flex={2}
              aria-label={text("forms.valueOfRow", { row: index + 1, list: label })}
              placeholder={text("forms.value")}
              value={row.value}
              spellCheck={false}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              c="dimmed"
              aria-label={text("forms.removeRow", { row: index + 1, list: label })}
              onClick={() => onChange(rows.filter((_, each) => each !== index))}
            >
              <XIcon size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<PlusIcon size={12} />}
          style={{ alignSelf: "flex-start" }}
          aria-label={text("forms.addTo", { list: label })}
          onClick={() => onChange([...rows, { name: "", value: "" }])}
        >
          {text("common.add")}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

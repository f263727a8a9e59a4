import { ActionIcon, Button, Group, Input, NumberInput, Stack, TextInput } from "@mantine/core";
import { PlusIcon, XIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";

import { useText } from "../../text.ts";
import type { Metric } from "./form-values.ts";

interface Props {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly value: readonly Metric[];
  readonly onChange: (rows: readonly Metric[]) => void;
}

/** Numbers that are found by their path, with the range that each must be in. */
export function MetricsInput(props: Props): ReactElement {
  const { label, description, error, value: rows, onChange } = props;
  const text = useText();
  const change = (index: number, changes: Partial<Metric>): void =>
    onChange(rows.map((row, each) => (each === index ? { ...row, ...changes } : row)));
  const limitInput = (row: Metric, index: number, limit: "min" | "max"): ReactElement => (
    <NumberInput
      w={110}
      aria-label={text(`forms.${limit}OfRow`, { row: index + 1, list: label })}
      placeholder={text(`forms.${limit}`)}
      value={row[limit]}
      hideControls
      onChange={(value) => change(index, { [limit]: value })}
    />
  );
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" mt={4} role="group" aria-label={label}>
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a row has nothing else that stays while it is typed
          <Group key={index} gap="xs">
            <TextInput
              flex={1}
              miw={140}
              aria-label={text("forms.pathOfRow", { row: index + 1, list: label })}
              placeholder={text("forms.path")}
              value={row.name}
              spellCheck={false}
              onChange={(event) => change(index, { name: event.currentTarget.value })}
            />
            {limitInput(row, index, "min")}
            {limitInput(row, index, "max")}
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
          onClick={() => onChange([...rows, { key: "", name: "", min: "", max: "" }])}
        >
          {text("common.add")}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

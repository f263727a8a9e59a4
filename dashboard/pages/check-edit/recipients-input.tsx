import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Input,
  NumberInput,
  Select,
  Stack,
  Text,
} from "@mantine/core";
import { PlusIcon, XIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";

import { useText } from "../../text.ts";
import { useRecipientChoices, type RecipientChoices } from "./queries.ts";
import { newRecipient, type Recipient } from "./recipients.ts";

interface Props {
  readonly value: readonly Recipient[];
  readonly onChange: (recipients: readonly Recipient[]) => void;
  readonly error?: string | undefined;
  /** Whether the account has default recipients. */
  readonly hasDefault: boolean;
}

/** Recipients of a check, with their schedules and delays. */
export function RecipientsInput({ value: rows, onChange, error, hasDefault }: Props): ReactElement {
  const text = useText();
  const { data: choices } = useRecipientChoices();
  const isNobody = rows.every(({ id }) => id === "");
  return (
    <Input.Wrapper
      label={text("checkEdit.recipients")}
      description={text("checkEdit.recipientsHelp")}
      error={error}
      labelElement="div"
    >
      <Stack gap="xs" mt={4} role="group" aria-label={text("checkEdit.recipients")}>
        {choices !== undefined &&
          rows.map((row, index) => (
            <RecipientRow
              // oxlint-disable-next-line react/no-array-index-key -- the same recipient may stand there twice
              key={index}
              number={index + 1}
              row={row}
              choices={choices}
              change={(changes) =>
                onChange(rows.map((each, at) => (at === index ? { ...each, ...changes } : each)))
              }
              remove={() => onChange(rows.filter((_, at) => at !== index))}
            />
          ))}
        {isNobody && hasDefault && <Text size="sm">{text("checkEdit.defaultRecipients")}</Text>}
        {isNobody && !hasDefault && (
          <Alert color="yellow" variant="outline" p="xs">
            {text("checkEdit.nobody")}
          </Alert>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<PlusIcon size={12} />}
          style={{ alignSelf: "flex-start" }}
          aria-label={text("checkEdit.addRecipient")}
          onClick={() => onChange([...rows, newRecipient()])}
        >
          {text("common.add")}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface RowProps {
  readonly number: number;
  readonly row: Recipient;
  readonly choices: RecipientChoices;
  readonly change: (changes: Partial<Recipient>) => void;
  readonly remove: () => void;
}

function RecipientRow({ number, row, choices, change, remove }: RowProps): ReactElement {
  const text = useText();
  const { contacts, addresses, groups, profiles, schedules } = choices;
  const known = [contacts, addresses, groups, profiles].flat();
  const isUnknown = row.id !== "" && known.every(({ value }) => value !== row.id);
  const schedulesToo = schedules.includes(row.schedule) ? schedules : [...schedules, row.schedule];
  return (
    <Group gap="xs" align="flex-end">
      <Select
        flex={1}
        miw={200}
        label={text("checkEdit.recipientOf", { number })}
        searchable
        data={[
          { group: text("checkEdit.contacts"), items: [...contacts] },
          { group: text("checkEdit.addresses"), items: [...addresses] },
          { group: text("checkEdit.groups"), items: [...groups] },
          { group: text("checkEdit.profiles"), items: [...profiles] },
          ...(isUnknown ? [{ value: row.id, label: row.id }] : []),
        ]}
        value={row.id === "" ? null : row.id}
        placeholder={text("checkEdit.choose")}
        onChange={(id) => change({ id: id ?? "" })}
      />
      <Select
        w={150}
        label={text("checkEdit.scheduleOf", { number })}
        data={[...schedulesToo]}
        value={row.schedule}
        allowDeselect={false}
        onChange={(schedule) => change({ schedule: schedule ?? "All" })}
      />
      <NumberInput
        w={110}
        label={text("checkEdit.delayOf", { number })}
        value={row.delay}
        min={0}
        onChange={(delay) => change({ delay })}
      />
      <NumberInput
        w={130}
        label={text("checkEdit.repeatOf", { number })}
        value={row.repeat}
        min={1}
        onChange={(repeat) => change({ repeat })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        mb={4}
        aria-label={text("checkEdit.removeRecipient", { number })}
        onClick={remove}
      >
        <XIcon size={16} />
      </ActionIcon>
    </Group>
  );
}

import {
  Button,
  Checkbox,
  Group,
  Input,
  Paper,
  ScrollArea,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useDeferredValue, useId, useState, type ReactElement } from "react";

import { useText } from "../../text.ts";
import { visibleText } from "../visible-text.ts";
import { foundAmong } from "./found-among.ts";

export interface Choice {
  readonly id: string;
  readonly name: string;
  /** Additional search words, shown next to the name. */
  readonly hint?: string;
}

interface Props {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
  readonly error?: string | undefined;
}

const MAX_SHOWN = 100;

/** Chooses some of many by search. What is chosen stays, also where it is not among them any more. */
export function SearchList({ label, choices, chosen, choose, error }: Props): ReactElement {
  const text = useText();
  const id = useId();
  const [words, setWords] = useState("");
  const among = new Set(chosen);
  const found = foundAmong(
    choices,
    useDeferredValue(words),
    ({ name, hint = "" }) => `${name} ${hint}`,
  );
  const toggle = (one: string, isChosen: boolean): void =>
    choose(isChosen ? [...chosen, one] : chosen.filter((each) => each !== one));
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} error={error}>
      <Paper withBorder p="xs" mt={4} role="group" aria-labelledby={id}>
        <TextInput
          aria-label={text("records.search", { what: label })}
          placeholder={text("records.searchHint")}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <ScrollArea.Autosize mah={220} my="xs" viewportProps={{ tabIndex: 0 }}>
          <Stack gap={6} p={2}>
            {found.slice(0, MAX_SHOWN).map((choice) => (
              <Checkbox
                key={choice.id}
                checked={among.has(choice.id)}
                label={nameOfChoice(choice)}
                onChange={(event) => toggle(choice.id, event.currentTarget.checked)}
              />
            ))}
            {found.length === 0 && <Text size="sm">{text("records.noneFound")}</Text>}
            {found.length > MAX_SHOWN && (
              <Text size="sm">{text("records.more", { count: found.length - MAX_SHOWN })}</Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
        <Group justify="space-between" gap="xs">
          <Text size="sm" aria-live="polite">
            {text("records.chosen", { count: chosen.length })}
          </Text>
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => choose([...new Set([...chosen, ...found.map((one) => one.id)])])}
            >
              {text("records.chooseFound", { count: found.length })}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => choose([])}>
              {text("records.chooseNone")}
            </Button>
          </Group>
        </Group>
      </Paper>
    </Input.Wrapper>
  );
}

/** Returns the name of a choice with its hint. */
export function nameOfChoice({ name, hint }: Choice): string {
  return visibleText(hint === undefined ? name : `${name} (${hint})`);
}

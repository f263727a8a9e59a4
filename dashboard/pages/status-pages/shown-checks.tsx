import { Group, Input, Stack, TextInput } from "@mantine/core";
import { useId, useState, type ReactElement } from "react";

import type { Choice } from "../../parts/records/search-list.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { inNewOrder, MoveButtons, type Moved } from "./move-buttons.tsx";
import type { Section } from "./status-page.ts";

interface Props {
  readonly number: number;
  readonly checks: Section["checks"];
  readonly choices: readonly Choice[];
  readonly change: (checks: Section["checks"]) => void;
}

/** The chosen checks of a section in their order, each with the name that readers see. */
export function ShownChecks({ number, checks, choices, change }: Props): ReactElement | null {
  const text = useText();
  const id = useId();
  const [moved, setMoved] = useState<Moved>();
  const labels = new Map(choices.map((choice) => [choice.id, choice.name]));
  if (checks.length === 0) return null;
  const rename = (index: number, name: string): void =>
    change(checks.map((check, at) => (at === index ? { ...check, name } : check)));
  return (
    <Input.Wrapper
      label={text("statusPages.shownNames", { number })}
      description={text("statusPages.shownNamesHint")}
      labelElement="div"
      labelProps={{ id }}
    >
      <Stack gap={6} mt={4} role="group" aria-labelledby={id}>
        {checks.map((check, index) => {
          const label = visibleText(labels.get(check.id) ?? check.id);
          return (
            // A check may be in a section twice.
            // oxlint-disable-next-line react/no-array-index-key
            <Group key={index} gap="xs" wrap="nowrap">
              <TextInput
                flex={1}
                size="xs"
                aria-label={text("statusPages.shownName", { name: label })}
                placeholder={label}
                value={check.name}
                maxLength={200}
                onChange={(event) => rename(index, event.currentTarget.value)}
              />
              <MoveButtons
                name={label}
                index={index}
                count={checks.length}
                moved={moved}
                move={(next) => {
                  setMoved(next);
                  change([...inNewOrder(checks, next)]);
                }}
              />
            </Group>
          );
        })}
      </Stack>
    </Input.Wrapper>
  );
}

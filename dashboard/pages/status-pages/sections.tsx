import { Button, Fieldset, Group, Stack, TextInput } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { SearchList, type Choice } from "../../parts/records/search-list.tsx";
import { useText } from "../../text.ts";
import { inNewOrder, MoveButtons, type Moved } from "./move-buttons.tsx";
import { ShownChecks } from "./shown-checks.tsx";
import type { Section } from "./status-page.ts";

interface Props {
  readonly sections: readonly Section[];
  readonly change: (sections: readonly Section[]) => void;
  readonly choices: readonly Choice[];
}

/** Checks on the page; existing ones keep their names on it. */
export function Sections({ sections, change, choices }: Props): ReactElement {
  const text = useText();
  const [moved, setMoved] = useState<Moved>();
  const move = (next: Moved): void => {
    setMoved(next);
    change(inNewOrder(sections, next));
  };
  const replace = (index: number, section: Section | undefined): void =>
    change(
      sections.flatMap((each, at) => {
        if (at !== index) return each;
        return section ?? [];
      }),
    );
  return (
    <Stack gap="sm">
      {sections.map((section, index) => (
        // The sections of a page have no id, and may have the same name.
        // oxlint-disable-next-line react/no-array-index-key
        <Fieldset key={index} legend={text("statusPages.section", { number: index + 1 })}>
          <Stack gap="xs">
            <TextInput
              label={text("statusPages.sectionName", { number: index + 1 })}
              value={section.name}
              maxLength={200}
              onChange={(event) => replace(index, { ...section, name: event.currentTarget.value })}
            />
            <SearchList
              label={text("statusPages.checks", { number: index + 1 })}
              choices={choices}
              chosen={section.checks.map(({ id }) => id)}
              choose={(ids) => replace(index, { ...section, checks: shown(section, ids) })}
            />
            <ShownChecks
              number={index + 1}
              checks={section.checks}
              choices={choices}
              change={(checks) => replace(index, { ...section, checks })}
            />
            <Group justify="space-between">
              <Button variant="default" size="compact-sm" onClick={() => replace(index, undefined)}>
                {text("statusPages.removeSection", { number: index + 1 })}
              </Button>
              <MoveButtons
                name={text("statusPages.section", { number: index + 1 })}
                index={index}
                count={sections.length}
                moved={moved}
                move={move}
              />
            </Group>
          </Stack>
        </Fieldset>
      ))}
      <Button
        variant="default"
        w="fit-content"
        onClick={() => change([...sections, { name: "", checks: [] }])}
      >
        {text("statusPages.addSection")}
      </Button>
    </Stack>
  );
}

/** An empty name has the server give the label. */
function shown({ checks }: Section, ids: readonly string[]): Section["checks"] {
  const names = new Map(checks.map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: names.get(id) ?? "" }));
}

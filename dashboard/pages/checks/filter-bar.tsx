import { Button, Group, MultiSelect, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { SearchIcon } from "@primer/octicons-react";
import { useRef, type ReactElement } from "react";

import { StateBadge } from "../../parts/state-badge.tsx";
import type { ShownState } from "../../parts/state.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { shownStates, sortings, type Facets, type ListView, type Sorting } from "./list-view.ts";

interface Props {
  readonly view: ListView;
  readonly facets: Facets;
  readonly change: (changes: Partial<ListView>) => void;
}

const sortingTexts = {
  state: "checks.sortState",
  name: "checks.sortName",
  ms: "checks.sortMs",
  since: "checks.sortSince",
} as const satisfies Readonly<Record<Sorting, string>>;

/** Filters of the list. */
export function FilterBar({ view, facets, change }: Props): ReactElement {
  const text = useText();
  const search = useRef<HTMLInputElement>(null);
  useHotkeys([["/", () => search.current?.focus()]]);
  return (
    <Stack gap="sm" mb="md" role="search">
      <Group gap="sm" align="flex-end">
        <TextInput
          ref={search}
          type="search"
          flex="1 1 16rem"
          label={text("checks.search")}
          placeholder={text("checks.searchHint")}
          leftSection={<SearchIcon size={16} />}
          value={view.search}
          onChange={(event) => change({ search: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Escape") change({ search: "" });
          }}
        />
        <Chosen
          label={text("checks.types")}
          all={facets.types}
          chosen={view.types}
          change={(types) => change({ types })}
        />
        {facets.tags.length > 0 && (
          <Chosen
            label={text("checks.tags")}
            all={facets.tags}
            chosen={view.tags}
            change={(tags) => change({ tags })}
          />
        )}
        <Select
          flex="0 1 11rem"
          label={text("checks.sorting")}
          allowDeselect={false}
          data={sortings.map((value) => ({ value, label: text(sortingTexts[value]) }))}
          value={view.sorting}
          onChange={(value) =>
            change({ sorting: sortings.find((sorting) => sorting === value) ?? "state" })
          }
        />
      </Group>
      <Group gap="xs">
        {shownStates
          .filter((state) => facets.states[state] > 0 || view.states.includes(state))
          .map((state) => (
            <StateChip
              key={state}
              state={state}
              count={facets.states[state]}
              isOn={view.states.includes(state)}
              toggle={() => change({ states: toggled(view.states, state) })}
            />
          ))}
        {facets.tags.length > 0 && (
          <Switch
            label={text("checks.grouped")}
            checked={view.isGrouped}
            onChange={(event) => change({ isGrouped: event.currentTarget.checked })}
          />
        )}
      </Group>
    </Stack>
  );
}

function toggled(states: readonly ShownState[], state: ShownState): readonly ShownState[] {
  return states.includes(state) ? states.filter((each) => each !== state) : [...states, state];
}

interface StateChipProps {
  readonly state: ShownState;
  readonly count: number;
  readonly isOn: boolean;
  readonly toggle: () => void;
}

function StateChip({ state, count, isOn, toggle }: StateChipProps): ReactElement {
  return (
    <Button
      size="xs"
      variant="default"
      radius="xl"
      aria-pressed={isOn}
      bd={isOn ? "2px solid currentColor" : undefined}
      onClick={toggle}
    >
      <Group gap={6} wrap="nowrap">
        <StateBadge state={state} />
        {count}
      </Group>
    </Button>
  );
}

interface ChosenProps {
  readonly label: string;
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
}

const MOST_OFFERED = 100;

function Chosen({ label, all, chosen, change }: ChosenProps): ReactElement {
  const text = useText();
  const offered = [...new Set([...all, ...chosen])];
  return (
    <MultiSelect
      flex="0 1 13rem"
      label={label}
      searchable
      clearable
      limit={MOST_OFFERED}
      placeholder={chosen.length === 0 ? text("checks.any") : ""}
      data={offered.map((value) => ({ value, label: visibleText(value) }))}
      value={[...chosen]}
      onChange={change}
    />
  );
}

import { MultiSelect, Select, Stack, TagsInput } from "@mantine/core";
import type { ReactElement } from "react";

import { Folded } from "../../parts/schema-form/folded.tsx";
import { ParameterInput } from "../../parts/schema-form/parameter-input.tsx";
import { useLocale, useText } from "../../text.ts";
import type { CheckFormState } from "./check-form-state.ts";
import { useCheckChoices, useLocationChoices } from "./queries.ts";

const HOUR_MS = 3_600_000;
/** No id of a check. */
const NONE = "none";
const HOURS = [1, 8, 24] as const;

/** What few checks need. */
export function MoreSettings({ state }: { readonly state: CheckFormState }): ReactElement {
  const text = useText();
  const { settings, change, problems, common, control } = state;
  const { data: locations } = useLocationChoices();
  const isWrong = ["tags", "locations", "dep", "mute", ...common.map(({ name }) => name)].some(
    (name) => problems.has(name),
  );
  return (
    <Folded title={text("checkEdit.more")} isForced={isWrong}>
      <Stack>
        {common.map((parameter) => (
          <ParameterInput key={parameter.name} parameter={parameter} control={control} />
        ))}
        <MultiSelect
          label={text("checkEdit.locations")}
          description={text("checkEdit.locationsHelp")}
          error={problems.get("locations")}
          searchable
          data={[
            { group: text("checkEdit.regions"), items: [...(locations?.regions ?? [])] },
            { group: text("checkEdit.codes"), items: [...(locations?.locations ?? [])] },
          ]}
          value={[...settings.locations]}
          onChange={(codes) => change({ locations: codes })}
        />
        <TagsInput
          label={text("checkEdit.tags")}
          error={problems.get("tags")}
          value={[...settings.tags]}
          onChange={(tags) => change({ tags })}
        />
        <DependencyInput state={state} />
        <MuteInput
          value={settings.mute}
          error={problems.get("mute")}
          onChange={(mute) => change({ mute })}
        />
      </Stack>
    </Folded>
  );
}

function DependencyInput({ state }: { readonly state: CheckFormState }): ReactElement {
  const text = useText();
  const { settings, change, problems } = state;
  const { data: checks = [] } = useCheckChoices();
  return (
    <Select
      label={text("checkEdit.dep")}
      description={text("checkEdit.depHelp")}
      error={problems.get("dep")}
      searchable
      allowDeselect={false}
      limit={50}
      data={[
        { value: NONE, label: text("checkEdit.noDep") },
        ...checks.filter(({ value }) => value !== state.id),
      ]}
      value={settings.dep === "" ? NONE : settings.dep}
      onChange={(dep) => change({ dep: dep === null || dep === NONE ? "" : dep })}
    />
  );
}

interface MuteProps {
  readonly value: boolean | number;
  readonly error: string | undefined;
  readonly onChange: (mute: boolean | number) => void;
}

function MuteInput({ value, error, onChange }: MuteProps): ReactElement {
  const text = useText();
  const locale = useLocale();
  const until = typeof value === "number" ? new Date(value).toLocaleString(locale) : "";
  const current = typeof value === "number" ? "until" : String(value);
  return (
    <Select
      label={text("checkEdit.mute")}
      description={text("checkEdit.muteHelp")}
      error={error}
      allowDeselect={false}
      data={[
        { value: "false", label: text("checkEdit.notMuted") },
        ...HOURS.map((hours) => ({
          value: String(hours),
          label: text("checkEdit.mutedHours", { hours }),
        })),
        { value: "true", label: text("checkEdit.muted") },
        ...(current === "until"
          ? [{ value: "until", label: text("checkEdit.mutedUntil", { until }) }]
          : []),
      ]}
      value={current}
      onChange={(chosen) => {
        if (chosen === "true" || chosen === "false") onChange(chosen === "true");
        else if (chosen !== "until") onChange(Date.now() + Number(chosen) * HOUR_MS);
      }}
    />
  );
}

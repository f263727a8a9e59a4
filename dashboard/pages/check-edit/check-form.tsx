import {
  Alert,
  Button,
  Group,
  MultiSelect,
  Paper,
  Select,
  Stack,
  Switch,
  TagsInput,
  TextInput,
  Title,
} from "@mantine/core";
import type { ReactElement } from "react";

import { DraftNotice } from "../../parts/draft/draft-notice.tsx";
import { useFocusOnProblem } from "../../parts/records/use-focus-on-problem.ts";
import { Folded } from "../../parts/schema-form/folded.tsx";
import { ParameterInput } from "../../parts/schema-form/parameter-input.tsx";
import { ParameterList } from "../../parts/schema-form/parameter-list.tsx";
import type { FormParameter } from "../../parts/schema-form/form-values.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useLocale, useText } from "../../text.ts";
import { useCheckForm, type CheckDraft, type CheckFormState } from "./check-form-state.ts";
import { useCheckChoices, useLocationChoices } from "./queries.ts";
import { RecipientsInput } from "./recipients-input.tsx";
import { TestResult } from "./test-result.tsx";

const HOUR_MS = 3_600_000;

/** No id of a check. */
const NONE = "none";

const HOURS = [1, 8, 24] as const;

interface Props {
  readonly draft: CheckDraft;
  /** Whether the account has recipients for checks that name nobody. */
  readonly hasDefaultRecipients: boolean;
  readonly saved: Parameters<typeof useCheckForm>[1];
  readonly cancel: () => void;
}

/** The names of common parameters that every check shows; the others are among more settings. */
const SHOWN_ALWAYS = new Set(["interval", "description"]);

/** Form for a check of one type, with a test run next to the save button. */
export function CheckForm({ draft, hasDefaultRecipients, saved, cancel }: Props): ReactElement {
  const text = useText();
  const state = useCheckForm(draft, saved);
  const { settings, change, problems, control } = state;
  const isWrong = [...problems.keys()];
  const isSending = state.save.isPending || state.test.isPending;
  const form = useFocusOnProblem(isSending, problems.size > 0);
  const [shown, others] = partition(draft.common);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.save.mutate();
      }}
    >
      <Stack maw={760} gap="lg">
        <DraftNotice draft={state.draft} />
        <Section title={text("checkEdit.whatSection")}>
          <ParameterList
            parameters={draft.form.parameters}
            control={control}
            advancedTitle={text("checkEdit.advanced")}
            wrong={isWrong}
          />
        </Section>
        <Section title={text("checkEdit.howSection")}>
          <TextInput
            label={text("checkEdit.label")}
            description={text("checkEdit.labelHelp")}
            error={problems.get("label")}
            value={settings.label}
            maxLength={1000}
            autoComplete="off"
            onChange={(event) => change({ label: event.currentTarget.value })}
          />
          <Switch
            label={text("checkEdit.enabled")}
            aria-label={text("checkEdit.enabled")}
            description={text("checkEdit.enabledHelp")}
            error={problems.get("enabled")}
            checked={settings.enabled}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          {shown.map((parameter) => (
            <ParameterInput key={parameter.name} parameter={parameter} control={control} />
          ))}
        </Section>
        <Section title={text("checkEdit.whoSection")}>
          <RecipientsInput
            value={settings.recipients}
            onChange={(recipients) => change({ recipients })}
            error={problems.get("recipients")}
            hasDefault={hasDefaultRecipients}
          />
        </Section>
        <MoreSettings state={{ ...state, common: others }} />
        <SaveBar state={state} isTestable={draft.form.driver === "probe"} cancel={cancel} />
      </Stack>
    </form>
  );
}

function partition(
  common: readonly FormParameter[],
): readonly [readonly FormParameter[], readonly FormParameter[]] {
  const isShown = ({ name }: FormParameter): boolean => SHOWN_ALWAYS.has(name);
  return [common.filter(isShown), common.filter((parameter) => !isShown(parameter))];
}

function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
}): ReactElement {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Stack>{children}</Stack>
    </Paper>
  );
}

interface SaveBarProps {
  readonly state: CheckFormState;
  readonly isTestable: boolean;
  readonly cancel: () => void;
}

function SaveBar({
  state: { save, test, problem },
  isTestable,
  cancel,
}: SaveBarProps): ReactElement {
  const text = useText();
  return (
    <Stack gap="sm">
      {test.data !== undefined && !test.isPending && <TestResult test={test.data} />}
      {problem !== undefined && (
        <Alert color="red" variant="outline" role="alert">
          {visibleText(problem)}
        </Alert>
      )}
      <Group>
        <Button type="submit" loading={save.isPending}>
          {text("common.save")}
        </Button>
        {isTestable && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {text("checkEdit.test")}
          </Button>
        )}
        <Button variant="subtle" color="gray" c="inherit" onClick={cancel}>
          {text("common.cancel")}
        </Button>
      </Group>
    </Stack>
  );
}

/** Settings that few checks need. */
function MoreSettings({ state }: { readonly state: CheckFormState }): ReactElement {
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

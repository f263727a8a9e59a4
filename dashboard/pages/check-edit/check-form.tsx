import { Alert, Button, Group, Paper, Stack, Switch, TextInput, Title } from "@mantine/core";
import type { ReactElement } from "react";

import { DraftNotice } from "../../parts/draft/draft-notice.tsx";
import { useFocusOnProblem } from "../../parts/records/use-focus-on-problem.ts";
import { ParameterInput } from "../../parts/schema-form/parameter-input.tsx";
import { ParameterList } from "../../parts/schema-form/parameter-list.tsx";
import type { FormParameter } from "../../parts/schema-form/form-values.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { useCheckForm, type CheckDraft, type CheckFormState } from "./check-form-state.ts";
import { MoreSettings } from "./more-settings.tsx";
import { RecipientsInput } from "./recipients-input.tsx";
import { TestResult } from "./test-result.tsx";

interface Props {
  readonly draft: CheckDraft;
  /** Whether the account has recipients for checks that name nobody. */
  readonly hasDefaultRecipients: boolean;
  readonly saved: Parameters<typeof useCheckForm>[1];
  readonly cancel: () => void;
}

/** The names of common parameters that every check shows; the others are among more settings. */
const SHOWN_ALWAYS = new Set(["interval", "description"]);

/** A form for a check of one type, with a test run beside the button that saves it. */
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

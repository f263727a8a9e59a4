import { Alert, Button, Group, NumberInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import type { FormParameter } from "../../parts/schema-form/form-values.ts";
import { problemOf } from "../../parts/schema-form/server-problem.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { createCheck } from "../check-edit/check-form-state.ts";
import type { CheckTest } from "../check-edit/test-result.tsx";
import { proposedName, type Guess } from "./guess-check.ts";

/** A guess, and what a run of it found. */
export interface Found {
  readonly guess: Guess;
  readonly test: CheckTest;
}

interface Props {
  readonly found: Found;
  readonly interval: FormParameter;
  readonly done: (checkId: string) => void;
}

/** The name and the interval of a check that was tried, and the button that saves it. */
export function FoundCheck({ found: { guess, test }, interval, done }: Props): ReactElement {
  const text = useText();
  const client = useQueryClient();
  const { contact } = useSession();
  const suggested = Number(interval.suggested);
  const [label, setLabel] = useState(() => proposedName(test));
  const [minutes, setMinutes] = useState<number | string>(suggested);
  const saving = useMutation({
    mutationFn: () =>
      createCheck({
        ...guess,
        enabled: true,
        interval: minutes === "" ? suggested : minutes,
        ...(label.trim() !== "" && { label: label.trim() }),
        ...(contact !== undefined && { notifications: [{ [contact]: "All" }] }),
      }),
    async onSuccess({ _id }) {
      await client.invalidateQueries({ queryKey: ["checks"] });
      done(_id);
    },
  });
  const problem =
    saving.error === null ? undefined : problemOf(saving.error.message, ["label", "interval"]);
  const errorOf = (name: string): string | undefined =>
    problem?.field === name ? problem.sentence : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        <TextInput
          label={text("checkEdit.label")}
          value={label}
          maxLength={1000}
          autoComplete="off"
          error={errorOf("label")}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <NumberInput
          label={interval.title}
          description={interval.help}
          value={minutes}
          min={interval.minimum ?? 0}
          max={interval.maximum ?? Infinity}
          // The server says what is wrong with a number.
          clampBehavior="none"
          error={errorOf("interval")}
          onChange={(entered: number | string) => setMinutes(entered)}
          onBlur={() => minutes === "" && setMinutes(suggested)}
        />
        {problem !== undefined && problem.field === undefined && (
          <Alert color="red" variant="outline" role="alert">
            {visibleText(problem.sentence)}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {text(test.outcome === "passed" ? "welcome.save" : "welcome.saveAnyway")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

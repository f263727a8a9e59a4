import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { visibleText } from "../../parts/visible-text.ts";
import { useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { createCheck, testCheck } from "../check-edit/check-form-state.ts";
import { TestResult } from "../check-edit/test-result.tsx";
import type { CheckTest } from "../check-edit/test-result.tsx";
import type { CheckForm } from "../check-edit/queries.ts";
import { guessChecks } from "./guess-check.ts";
import type { Guess } from "./guess-check.ts";

interface Found {
  readonly guess: Guess;
  readonly test: CheckTest;
}

interface Props {
  readonly types: readonly CheckForm[];
  readonly done: (checkId: string) => void;
}

/** What somebody wants watched: the type is guessed, tried, and saved. */
export function TargetStep({ types, done }: Props): ReactElement {
  const text = useText();
  const client = useQueryClient();
  const { contact } = useSession();
  const [entered, setEntered] = useState("");
  const [isUnclear, setIsUnclear] = useState(false);
  const trying = useMutation({ mutationFn: firstThatPasses });
  const saving = useMutation({
    mutationFn: (guess: Guess) =>
      createCheck({
        ...guess,
        enabled: true,
        ...(contact !== undefined && { notifications: [{ [contact]: "All" }] }),
      }),
    async onSuccess({ _id }) {
      await client.invalidateQueries({ queryKey: ["checks"] });
      done(_id);
    },
  });
  const found = trying.data;
  const error = trying.error ?? saving.error;
  return (
    <Stack>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const guesses = guessChecks(entered, types);
          setIsUnclear(guesses.length === 0);
          if (guesses.length > 0) trying.mutate(guesses);
        }}
      >
        <Group align="flex-end">
          <TextInput
            flex={1}
            miw={240}
            label={text("welcome.target")}
            description={text("welcome.targetHelp")}
            placeholder="https://example.com/"
            value={entered}
            maxLength={8000}
            autoComplete="off"
            spellCheck={false}
            error={isUnclear ? text("welcome.unclear") : undefined}
            onChange={(event) => {
              setEntered(event.currentTarget.value);
              // What was tried is another target.
              trying.reset();
            }}
          />
          <Button type="submit" loading={trying.isPending}>
            {text("welcome.try")}
          </Button>
        </Group>
      </form>
      {error !== null && (
        <Alert color="red" variant="outline" role="alert">
          {visibleText(error.message)}
        </Alert>
      )}
      {found !== undefined && !trying.isPending && (
        <>
          <Text fw={600}>
            {text("welcome.guessed", { type: titleOf(types, found.guess.type) })}
          </Text>
          <TestResult test={found.test} />
          <Group>
            <Button loading={saving.isPending} onClick={() => saving.mutate(found.guess)}>
              {text(found.test.outcome === "passed" ? "welcome.save" : "welcome.saveAnyway")}
            </Button>
          </Group>
        </>
      )}
      <Anchor component={Link} href="/checks/new">
        {text("welcome.allTypes")}
      </Anchor>
    </Stack>
  );
}

function titleOf(types: readonly CheckForm[], type: string): string {
  return types.find((each) => each.type === type)?.title ?? type;
}

/** The first guess that passes, or else the first of all. */
async function firstThatPasses(guesses: readonly Guess[]): Promise<Found> {
  const tried: Found[] = [];
  for (const guess of guesses) {
    const test = await testCheck(undefined, guess);
    if (test.outcome === "passed") return { guess, test };
    tried.push({ guess, test });
  }
  const [first] = tried;
  if (first === undefined) throw new Error("there was no guess");
  return first;
}

import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState, type ReactElement } from "react";
import { Link } from "wouter";

import {
  draftKey,
  forgetDraft,
  keepDraft,
  keptDraft,
  mayHoldSecret,
} from "../../parts/draft/kept-drafts.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { testCheck } from "../check-edit/check-form-state.ts";
import { TestResult } from "../check-edit/test-result.tsx";
import type { CheckForm, Forms } from "../check-edit/queries.ts";
import { FoundCheck, type Found } from "./found-check.tsx";
import { guessChecks, type Guess } from "./guess-check.ts";

interface Props {
  readonly forms: Forms;
  readonly done: (checkId: string) => void;
}

/** First target: its type is guessed, tried, and saved. */
export function TargetStep({ forms: { checks: types, common }, done }: Props): ReactElement {
  const text = useText();
  const { entered, enter, forget } = useKeptTarget();
  const [isUnclear, setIsUnclear] = useState(false);
  const trying = useMutation({ mutationFn: firstThatPasses });
  const { data: found, error } = trying;
  const interval = common.find(({ name }) => name === "interval");
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
              enter(event.currentTarget.value);
              // The previous trial was for another target.
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
      {found !== undefined && interval !== undefined && !trying.isPending && (
        <>
          <Text fw={600}>
            {text("welcome.guessed", { type: titleOf(types, found.guess.type) })}
          </Text>
          <TestResult test={found.test} />
          <FoundCheck
            key={trying.submittedAt}
            found={found}
            interval={interval}
            done={(id) => {
              forget();
              done(id);
            }}
          />
        </>
      )}
      <Anchor component={Link} href="/checks/new">
        {text("welcome.allTypes")}
      </Anchor>
    </Stack>
  );
}

/** Typed target, kept across a reload. */
function useKeptTarget(): {
  readonly entered: string;
  readonly enter: (target: string) => void;
  readonly forget: () => void;
} {
  const key = draftKey(useSession(), "welcome");
  const [entered, enter] = useState(() => keptDraft(key, { target: "" })?.changes.target ?? "");
  useEffect(() => {
    if (entered === "" || mayHoldSecret(entered)) forgetDraft(key);
    else keepDraft(key, { changes: { target: entered }, isPartial: false });
  }, [entered, key]);
  return { entered, enter, forget: () => forgetDraft(key) };
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

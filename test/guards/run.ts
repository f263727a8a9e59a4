import { run } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { messageOf } from "../../src/kit/errors.ts";
import type { TestReference } from "./guard.ts";
import { guards } from "./guards.ts";

const root = join(import.meta.dirname, "../..");
const hook = pathToFileURL(join(import.meta.dirname, "remove-guard.ts")).href;

/** A test that takes longer does not show that its guard is gone, but hangs without it. */
const DEADLINE_MS = 60_000;
/** The deadline of `npm test` for each test, but shorter: without its guard a test fails anyway. */
const TEST_TIMEOUT_MS = 30_000;
/** More of them take no less time on a machine with few cores. */
const AT_ONCE = 2;

interface Ending {
  readonly how: string;
  readonly ms: number;
}

/** What the test does, in a process of its own that lacks a guard where one is named. Only then it has a deadline. */
async function endingOf({ file, name }: TestReference, removed?: string): Promise<Ending> {
  const deadline =
    removed === undefined ? new AbortController().signal : AbortSignal.timeout(DEADLINE_MS);
  const seen = new AbortController();
  let ending: Ending | undefined;
  const events = run({
    files: [join(root, file)],
    testNamePatterns: [new RegExp(RegExp.escape(name))],
    env: { ...process.env, NODE_OPTIONS: "" },
    ...(removed !== undefined && {
      timeout: TEST_TIMEOUT_MS,
      env: {
        ...process.env,
        NODE_OPTIONS: `--import=${hook}?guard=${encodeURIComponent(removed)}`,
      },
    }),
    signal: AbortSignal.any([deadline, seen.signal]),
  });
  events.on("test:pass", (passed) => {
    if (passed.name === name) ending = { how: "passes", ms: passed.details.duration_ms };
  });
  events.on("test:fail", ({ name: failed, details: { error, duration_ms: ms } }) => {
    if (failed !== name || deadline.aborted) return;
    ending = { how: `fails: ${reasonOf(error)}`, ms };
    seen.abort();
  });
  for await (const _event of events);
  return ending ?? { how: deadline.aborted ? "does not end" : "does not run", ms: 0 };
}

function reasonOf({ cause, message }: Error): string {
  return (cause === undefined ? message : messageOf(cause)).split("\n")[0] ?? "";
}

/** An error of the language is a mistake in the entry of the guard, and not what its test looks for. */
const mistake = /is not defined|SyntaxError|Unexpected/;

/** What a test says that a deadline ended: its own, its suite's, or that of `waitFor`. */
const late = /timed out|was cancelled|did not happen/;
/** A third of the shortest deadline: a test that takes longer with its guard shows nothing by being too late without it. */
const QUICK_MS = 5000;

function isShownBy(withIt: Ending, without: Ending): boolean {
  if (withIt.how !== "passes" || !without.how.startsWith("fails") || mistake.test(without.how))
    return false;
  return !late.test(without.how) || withIt.ms < QUICK_MS;
}

async function show(name: string): Promise<boolean> {
  const guard = guards[name];
  if (guard === undefined) {
    process.stdout.write(`NOT SHOWN: ${name}\n  there is no such guard\n`);
    return false;
  }
  const withIt = await endingOf(guard.test);
  const without = await endingOf(guard.test, name);
  const isShown = isShownBy(withIt, without);
  const { file, name: title } = guard.test;
  process.stdout.write(
    `${isShown ? "shown" : "NOT SHOWN"}: ${name}\n  ${file}: ${title}\n  with it ${withIt.how}, without it ${without.how}\n`,
  );
  return isShown;
}

const named = process.argv.slice(2);
const waiting = named.length === 0 ? Object.keys(guards) : named;
const showAll = async (): Promise<void> => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    if (!(await show(name))) process.exitCode = 1;
};
await Promise.all(Array.from({ length: AT_ONCE }, showAll));

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

/** What the tests of a file do, by name, in a process of their own. */
async function endingsOf(
  file: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Ending>> {
  const endings = new Map<string, Ending>();
  const events = run({
    files: [join(root, file)],
    testNamePatterns: names.map((name) => new RegExp(RegExp.escape(name))),
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  events.on("test:pass", ({ name, details }) =>
    endings.set(name, { how: "passes", ms: details.duration_ms }),
  );
  events.on("test:fail", ({ name, details: { error, duration_ms: ms } }) =>
    endings.set(name, { how: `fails: ${reasonOf(error)}`, ms }),
  );
  for await (const _event of events);
  return endings;
}

/** What the test does in a process that lacks the guard, which ends with it or at the deadline. */
async function endingWithout(guard: string, { file, name }: TestReference): Promise<Ending> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const seen = new AbortController();
  let ending: Ending | undefined;
  const end = (how: string, ms: number): void => {
    if (deadline.aborted) return;
    ending = { how, ms };
    seen.abort();
  };
  const events = run({
    files: [join(root, file)],
    testNamePatterns: [new RegExp(RegExp.escape(name))],
    timeout: TEST_TIMEOUT_MS,
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${hook}?guard=${encodeURIComponent(guard)}`,
    },
    signal: AbortSignal.any([deadline, seen.signal]),
  });
  events.on("test:pass", (passed) => {
    if (passed.name === name) end("passes", passed.details.duration_ms);
  });
  events.on("test:fail", ({ name: failed, details: { error, duration_ms: ms } }) => {
    if (failed === name) end(`fails: ${reasonOf(error)}`, ms);
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
/** Two thirds of the shortest deadline: a test that takes longer with its guard shows nothing by being too late without it. */
const QUICK_MS = 10_000;

function isShownBy(withIt: Ending, without: Ending): boolean {
  if (withIt.how !== "passes" || !without.how.startsWith("fails") || mistake.test(without.how))
    return false;
  return !late.test(without.how) || withIt.ms < QUICK_MS;
}

interface Named {
  readonly name: string;
  readonly test: TestReference;
}

/** Shows guards whose tests are in one file. */
async function showAllOf(file: string, named: readonly Named[]): Promise<void> {
  const endings = await endingsOf(
    file,
    named.map(({ test }) => test.name),
  );
  for (const { name, test } of named) {
    const withIt = endings.get(test.name) ?? { how: "does not run", ms: 0 };
    const without = await endingWithout(name, test);
    const isShown = isShownBy(withIt, without);
    if (!isShown) process.exitCode = 1;
    process.stdout.write(
      `${isShown ? "shown" : "NOT SHOWN"}: ${name}\n  ${file}: ${test.name}\n  with it ${withIt.how}, without it ${without.how}\n`,
    );
  }
}

const asked = process.argv.slice(2);
for (const name of asked.filter((each) => guards[each] === undefined)) {
  process.exitCode = 1;
  process.stdout.write(`NOT SHOWN: ${name}\n  there is no such guard\n`);
}
const chosen = Object.entries(guards)
  .filter(([name]) => asked.length === 0 || asked.includes(name))
  .map(([name, { test }]): Named => ({ name, test }));
const waiting = [...Map.groupBy(chosen, ({ test }) => test.file)];
const showNext = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
    await showAllOf(...next);
};
await Promise.all(Array.from({ length: AT_ONCE }, showNext));

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

/** What the test does, in a process of its own that lacks a guard where one is named. */
async function endingOf({ file, name }: TestReference, removed?: string): Promise<string> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const seen = new AbortController();
  let ending = "does not run";
  const events = run({
    files: [join(root, file)],
    testNamePatterns: [new RegExp(RegExp.escape(name))],
    timeout: TEST_TIMEOUT_MS,
    env: {
      ...process.env,
      NODE_OPTIONS:
        removed === undefined ? "" : `--import=${hook}?guard=${encodeURIComponent(removed)}`,
    },
    signal: AbortSignal.any([deadline, seen.signal]),
  });
  events.on("test:pass", (passed) => {
    if (passed.name === name) ending = "passes";
  });
  events.on("test:fail", (failed) => {
    if (failed.name !== name || deadline.aborted) return;
    ending = `fails: ${reasonOf(failed.details.error)}`;
    seen.abort();
  });
  for await (const _event of events);
  return ending === "does not run" && deadline.aborted ? "does not end" : ending;
}

function reasonOf({ cause, message }: Error): string {
  return (cause === undefined ? message : messageOf(cause)).split("\n")[0] ?? "";
}

/** An error of the language is a mistake in the entry of the guard, and not what its test looks for. */
const mistake = /is not defined|SyntaxError|Unexpected/;

/** Shown is what a guard's test does: it passes with the guard, and fails without it. */
async function show(name: string): Promise<boolean> {
  const guard = guards[name];
  if (guard === undefined) {
    process.stdout.write(`NOT SHOWN: ${name}\n  there is no such guard\n`);
    return false;
  }
  const withIt = await endingOf(guard.test);
  const without = await endingOf(guard.test, name);
  const isShown = withIt === "passes" && without.startsWith("fails") && !mistake.test(without);
  const { file, name: title } = guard.test;
  process.stdout.write(
    `${isShown ? "shown" : "NOT SHOWN"}: ${name}\n  ${file}: ${title}\n  with it ${withIt}, without it ${without}\n`,
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

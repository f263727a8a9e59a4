import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { run } from "node:test";
import { pathToFileURL } from "node:url";

import { messageOf } from "../../src/kit/errors.ts";
import { root } from "../batches/batches.ts";
import { guards, titlePattern, type MarkedTest } from "./guards.ts";
import { withoutGuard } from "./marks.ts";

const hook = pathToFileURL(join(import.meta.dirname, "remove-guard.ts")).href;

/** A test that takes longer does not show that its guard is gone, but hangs without it. */
const DEADLINE_MS = 60_000;
/** The deadline of `npm test` for each test, but shorter: without its guard a test fails anyway. */
const TEST_TIMEOUT_MS = 30_000;
/** In place of that of `waitFor`: a test that fails need not wait as long for what never happens. */
const WAIT_S = 15;
/** More of them take no less time on a machine with few cores. */
const AT_ONCE = 2;

interface Ending {
  readonly how: string;
  readonly ms: number;
}

/** What a marked test does, with the environment of a process that has its guard, or lacks it: fails where one of the titles that are meant does. */
async function endingOf(
  test: MarkedTest,
  env: NodeJS.ProcessEnv,
  ending: { readonly timeout?: number; readonly deadline?: AbortSignal } = {},
): Promise<Ending> {
  const { timeout = Infinity, deadline } = ending;
  const failed = new AbortController();
  const pattern = titlePattern(test);
  let found: Ending | undefined;
  const end = (how: string, ms: number): void => {
    if (deadline?.aborted !== true && found?.how.startsWith("fails") !== true) found = { how, ms };
  };
  const events = run({
    files: [join(root, test.file)],
    testNamePatterns: [pattern],
    timeout,
    env: { ...process.env, ...env },
    signal: AbortSignal.any([failed.signal, ...(deadline === undefined ? [] : [deadline])]),
  });
  events.on("test:pass", ({ name, details }) => {
    if (pattern.test(name)) end("passes", Math.max(found?.ms ?? 0, details.duration_ms));
  });
  events.on("test:fail", ({ name, details: { error, duration_ms: ms } }) => {
    if (!pattern.test(name)) return;
    end(`fails: ${reasonOf(error)}`, ms);
    failed.abort();
  });
  for await (const _event of events);
  if (deadline?.aborted === true && found?.how.startsWith("fails") !== true)
    return { how: "does not end", ms: 0 };
  return found ?? { how: "does not run", ms: 0 };
}

/** Returns the outcome of the test in a process without the guard, which ends with the test or at the deadline. */
async function endingWithout(name: string, test: MarkedTest): Promise<Ending> {
  const { file } = guards[name] ?? { file: "" };
  const folder = mkdtempSync(join(tmpdir(), "watchpost-guard-"));
  try {
    const source = join(folder, basename(file));
    writeFileSync(source, withoutGuard(file, readFileSync(join(root, file), "utf8"), name));
    const query = new URLSearchParams({ file, source });
    const env = {
      NODE_OPTIONS: `--import=${hook}?${query.toString()}`,
      TEST_DEADLINE_S: String(WAIT_S),
    };
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    return await endingOf(test, env, { timeout: TEST_TIMEOUT_MS, deadline });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function reasonOf({ cause, message }: Error): string {
  return (cause === undefined ? message : messageOf(cause)).split("\n")[0] ?? "";
}

/** An error of the language is a mistake in the entry of the guard, and not what its test looks for. */
const mistake = /is not defined|SyntaxError|Unexpected/;

/** Message of a test ended by a deadline: its own, its suite's, or that of `waitFor`. */
const late = /timed out|was cancelled|did not happen/;
/** Two thirds of the shortest deadline: a test that takes longer with its guard shows nothing by being too late without it. */
const QUICK_MS = 10_000;

function isShownBy(withIt: Ending, without: Ending): boolean {
  if (withIt.how !== "passes" || !without.how.startsWith("fails") || mistake.test(without.how))
    return false;
  return !late.test(without.how) || withIt.ms < QUICK_MS;
}

/** Whether a test passes with its guard, and fails without it. */
async function show(name: string, test: MarkedTest): Promise<void> {
  const withIt = await endingOf(test, { NODE_OPTIONS: "" });
  const without = await endingWithout(name, test);
  const isShown = isShownBy(withIt, without);
  if (!isShown) process.exitCode = 1;
  process.stdout.write(
    `${isShown ? "shown" : "NOT SHOWN"}: ${name}\n  ${test.file}: ${test.title}\n  with it ${withIt.how}, without it ${without.how}\n`,
  );
}

const asked = process.argv.slice(2);
for (const name of asked.filter((each) => guards[each] === undefined)) {
  process.exitCode = 1;
  process.stdout.write(`NOT SHOWN: ${name}\n  there is no such guard\n`);
}
const waiting = Object.entries(guards)
  .filter(([name]) => asked.length === 0 || asked.includes(name))
  .flatMap(([name, { tests }]) => tests.map((test) => ({ name, test })));
const showNext = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
    await show(next.name, next.test);
};
await Promise.all(Array.from({ length: AT_ONCE }, showNext));

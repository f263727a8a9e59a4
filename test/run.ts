import { constants } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import {
  allTestFiles,
  processesFor,
  root,
  testFiles,
  undisturbed,
  type Suite,
} from "./batches/batches.ts";
import { followStartedProcesses } from "./batches/started-processes.ts";
import { slowestFiles } from "./batches/slowest.ts";

/** Longer than any file or batch of files on a machine that is busy; one that hangs ends as failed. */
const TEST_TIMEOUT_S = 900;
/** For a process whose time is over to say what it does. */
const ANSWERS_WITHIN_MS = 2000;
/** More than twice the cores of a common machine for continuous integration, because many wait for timers and servers. */
const PROCESSES = 5;

/** Named selection: a suite and some of its files, or files of both. */
interface Selection {
  readonly suite?: Suite;
  readonly accepts?: (file: string) => boolean;
}

const isEndToEnd = (file: string): boolean => file.startsWith("test/e2e/");
const selections: Readonly<Record<string, Selection>> = {
  all: {},
  quick: { suite: "quick" },
  long: { suite: "long" },
  unit: { suite: "quick", accepts: (file) => !isEndToEnd(file) },
  e2e: { accepts: isEndToEnd },
};

const { values, positionals: given } = parseArgs({
  options: { timeout: { type: "string", default: String(TEST_TIMEOUT_S) } },
  allowPositionals: true,
});
const timeoutMs = 1000 * Number(values.timeout);
const [which = "all"] = given;
const selection = selections[which];
const { suite, accepts = () => true } = selection ?? {};
const files = selection === undefined ? testFiles(given) : allTestFiles(suite).filter(accepts);
if (files.length === 0)
  throw new Error(
    `no tests ${JSON.stringify(which)}: ${Object.keys(selections).join(", ")}, or files`,
  );
const started = followStartedProcesses();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.once(signal, () => {
    const count = started.end();
    process.stderr.write(
      `Stopped by ${signal}, with ${count} processes that the tests had started.\n`,
    );
    process.exit(128 + constants.signals[signal]);
  });
const completed: Parameters<typeof slowestFiles>[0][number][] = [];
const isFile = ({ name, file }: { readonly name: string; readonly file?: string }): boolean =>
  name === file;

async function runTogether(processes: readonly string[], concurrency: number): Promise<void> {
  if (processes.length === 0) return;
  const events = run({
    files: processes.map((file) => join(root, file)),
    concurrency,
    timeout: timeoutMs + 2 * ANSWERS_WITHIN_MS,
    execArgv: ["--import", pathToFileURL(join(root, "test/batches/test-hook.ts")).href],
    argv: suite === undefined ? [] : [suite],
  });
  const timers = new Map<string, NodeJS.Timeout>();
  events.on("test:dequeue", (test) => {
    if (!isFile(test)) return;
    const { name } = test;
    const end = (): void => {
      if (started.endOf(name) > 0)
        process.stdout.write(`${name} did not end within ${timeoutMs / 1000} s: killed\n`);
    };
    const ask = (): void => {
      for (const command of started.askOf(name))
        process.stdout.write(`${name} started ${command}\n`);
      timers.set(name, setTimeout(end, ANSWERS_WITHIN_MS));
    };
    timers.set(name, setTimeout(ask, timeoutMs));
  });
  events.on("test:complete", (test) => {
    if (isFile(test)) clearTimeout(timers.get(test.name));
    completed.push(test);
  });
  events.on("test:fail", () => (process.exitCode = 1));
  await pipeline(events.compose(new spec()), process.stdout, { end: false });
}

const processes = processesFor(files);
await runTogether(
  processes.filter((file) => !undisturbed.has(file)),
  PROCESSES,
);
await runTogether(
  processes.filter((file) => undisturbed.has(file)),
  1,
);
const slowest = slowestFiles(completed, new Set(files));
process.stdout.write(`files that took longest:\n${slowest.join("\n")}\n`);
started.end();

import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

import { processesFor, root, testFiles } from "./batches/batches.ts";

/** Longer than any test on a machine that is busy; a test that hangs ends as failed. */
const TEST_TIMEOUT_MS = 600_000;
/** One more than the cores of a common machine for continuous integration, since some wait for timers. */
const PROCESSES = 3;

const patterns: Readonly<Record<string, readonly string[]>> = {
  all: ["src/**/*.test.ts", "test/**/*.test.ts"],
  unit: ["src/**/*.test.ts", "test/*.test.ts", "test/!(e2e)/**/*.test.ts"],
  e2e: ["test/e2e/**/*.test.ts"],
};

const [which = "all"] = process.argv.slice(2);
const files = testFiles(patterns[which] ?? []);
if (files.length === 0)
  throw new Error(`no tests ${JSON.stringify(which)}: ${Object.keys(patterns).join(", ")}`);
const events = run({
  files: processesFor(files).map((file) => join(root, file)),
  concurrency: PROCESSES,
  timeout: TEST_TIMEOUT_MS,
});
events.on("test:fail", () => (process.exitCode = 1));
events.compose(new spec()).pipe(process.stdout);

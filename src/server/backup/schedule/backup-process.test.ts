import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { temporaryFolder } from "../../../../test/e2e/process.ts";
import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { waitFor } from "../../../../test/time/wait-for.ts";
import { runReporter } from "./backup-process.ts";

const report = {
  name: "watchpost-0123abcd-20260105T030000Z.tar.gz.age",
  bytes: 1000,
  taken_at: "2026-01-05T03:00:00.000Z",
  seconds: 3,
  deleted: [],
};

function run(script: string, signal = new AbortController().signal, clock = fakeClock()) {
  return runReporter(["--eval", script], { clock, signal });
}

test("the report of a process is its result", async () => {
  const found = await run(`console.error("a hint"); console.log('${JSON.stringify(report)}')`);
  assert.deepEqual(found, report);
});

const failures = [
  [
    "what it said",
    'console.error("the bucket is away\\nmore"); process.exit(1)',
    "the bucket is away",
  ],
  ["its exit code, where it said nothing", "process.exit(3)", "it ended with 3"],
  ["the signal that ended it", 'process.kill(process.pid, "SIGKILL")', "it ended with SIGKILL"],
] as const;

for (const [what, script, message] of failures)
  test(`a process that fails is reported by ${what}`, () =>
    assert.rejects(run(script), { code: "unavailable", message }));

test("a stop ends the process in order", async () => {
  await using folder = await temporaryFolder();
  const stop = new AbortController();
  const onTerm = 'console.error("interrupted"); process.exit(1);';
  const running = run(waiting(folder.path, onTerm), stop.signal);
  await begun(folder.path);
  stop.abort();
  await assert.rejects(running, { message: "interrupted" });
});

test("a process that cannot end holds up no stop for longer than ten seconds", async () => {
  await using folder = await temporaryFolder();
  const clock = fakeClock();
  const stop = new AbortController();
  let outcome: unknown;
  const running = run(waiting(folder.path, ""), stop.signal, clock).catch(
    (error: unknown) => (outcome = error),
  );
  await begun(folder.path);
  stop.abort();
  await clock.advance(9000);
  assert.equal(outcome, undefined);
  await clock.advance(1000);
  await running;
  assert.match(String(outcome), /interrupted/);
});

/** A program that runs until it is stopped, and writes a file once it handles the signal. */
function waiting(folder: string, onTerm: string): string {
  const path = JSON.stringify(join(folder, "begun"));
  return `process.on("SIGTERM", () => { ${onTerm} }); setInterval(() => {}, 1000); fs.writeFileSync(${path}, "")`;
}

async function begun(folder: string): Promise<void> {
  await waitFor("the process begins", () => existsSync(join(folder, "begun")));
}

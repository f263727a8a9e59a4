import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import manifest from "../../package.json" with { type: "json" };
import { hasEnded } from "../child-processes.ts";
import { waitFor } from "../time/wait-for.ts";
import { root } from "./batches.ts";

/** The processes that the lasting test starts. */
function sleeping(): readonly number[] {
  const line = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && /^sleep 300[01] $/.test(line(name)))
    .map(Number);
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  test(`a run of the tests that gets ${signal} ends with everything that it started`, async () => {
    const earlier = new Set(sleeping());
    const runner = spawn(process.execPath, [join(root, "test/run.ts"), "test/batches/lasting.ts"], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    let said = "";
    runner.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(runner, "exit");
    const ours = (): readonly number[] => sleeping().filter((pid) => !earlier.has(pid));
    const started = await waitFor("its servers", () => (ours().length === 2 ? ours() : undefined));
    runner.kill(signal);
    const [code] = await ended;
    assert.ok(code > 128, String(code));
    assert.match(said, /^Stopped by SIG\w+, with \d+ processes that the tests had started\.$/m);
    await waitFor("nothing of it is left", () => started.every(hasEnded));
  });

/** What is said of a run of files that do not end. */
async function endOf(file: string, seconds: number): Promise<string> {
  const args = ["test/run.ts", "--timeout", String(seconds), file];
  const runner = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  let said = "";
  runner.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(runner, "exit");
  assert.equal(code, 1, said);
  return said;
}

test("a process of a test that does not end is killed with all that it started, and says what it has open", async () => {
  const earlier = new Set(sleeping());
  let seconds = 0.5;
  const wanted = [
    /endless\.ts started sleep 3000$/m,
    /endless\.ts runs, and has open: .*1 Timeout/,
  ];
  const said = await waitFor("a run in which it began, and answered, in its time", async () => {
    seconds *= 2;
    const ended = await endOf("test/batches/endless.ts", seconds);
    return wanted.every((pattern) => pattern.test(ended)) && ended;
  });
  assert.match(said, new RegExp(`endless\\.ts did not end within ${seconds} s: killed`));
  assert.match(said, /✖ .*endless\.ts/);
  assert.deepEqual(
    sleeping().filter((pid) => !earlier.has(pid) && !hasEnded(pid)),
    [],
  );
});

test("the scripts that run tests give their process the signals that npm gets", () => {
  const { test: quick, "test:long": long, unit, e2e, guards, verify } = manifest.scripts;
  for (const script of [quick, long, unit, e2e, guards])
    assert.match(script, /^exec env NODE_COMPILE_CACHE=\S+ node test\/\S+\.ts(?: \w+)?$/);
  assert.match(verify, /&& exec npm test$/);
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { temporaryFolder } from "../test/e2e/process.ts";
import { scenarios } from "./scenarios/registry.ts";

/** Each trouble of the monitor's machine takes minutes, and most are covered by the storms. */
const TROUBLE = "own-kill";

test("Watchpost alone, with one location, alerts of every scenario in time, once, and of nothing else", async () => {
  await using folder = await temporaryFolder();
  const only = [...scenarios.map(({ name }) => name), TROUBLE].join();
  const options = `--fast --monitors watchpost --minutes 2 --only ${only} --output ${folder.path}`;
  const args = [join(import.meta.dirname, "run.ts"), ...options.split(" ")];
  const run = spawn(process.execPath, args, {
    // The run continues while its input is open.
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  const [report, progress, [code]] = await Promise.all([
    text(run.stdout),
    text(run.stderr),
    once(run, "exit"),
  ]);
  assert.equal(code, 0, `${report}\n${progress}`);
  const { results } = JSON.parse(await readFile(join(folder.path, "scoreboard.json"), "utf8"));
  const { rows, monitors } = results;
  assert.equal(monitors.length, 1);
  assert.ok(rows.length > scenarios.length, `${rows.length} rows`);
});

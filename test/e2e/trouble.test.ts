import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { waitFor } from "../time/wait-for.ts";
import { run, temporaryFolder } from "./process.ts";
import { limitDescriptors, ownDisk, pause, steppedClock } from "./trouble.ts";

/** Program that repeatedly writes the value of the expression. */
const repeating = (expression: string): string[] => [
  process.execPath,
  "-e",
  `const fs = require("node:fs"); setInterval(() => console.log(${expression}), 5)`,
];
const lastLine = (output: string): string => output.trimEnd().split("\n").at(-1) ?? "";
/** "T" where it is stopped, "D" where it hangs in the kernel (proc_pid_stat(5)). */
const stateOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] ?? "";

test("a stepped clock moves the wall time of a program, and its monotonic time goes on", async () => {
  await using folder = await temporaryFolder();
  await using clock = await steppedClock();
  const sinceStart = "new Date() - 1000 * process.uptime()";
  const expression = `${sinceStart} - (globalThis.first ??= ${sinceStart})`;
  await using program = run(folder.path, clock.environment, repeating(expression));
  const hour = 3_600_000;
  const isAheadBy = (offset: number): boolean =>
    program.output() !== "" && Math.abs(Number(lastLine(program.output())) - offset) < hour / 2;
  await waitFor("the right time", () => isAheadBy(0));
  for (const step of [hour, -3 * hour]) {
    await clock.step(step);
    await waitFor("the step", () => isAheadBy(clock.offset()));
  }
  assert.equal(clock.offset(), -2 * hour);
});

test("a paused program says nothing until it goes on", async () => {
  await using folder = await temporaryFolder();
  await using program = run(folder.path, {}, repeating("1"));
  await waitFor("a word", () => program.output() !== "");
  {
    using _pause = pause(program.pid);
    await waitFor("the stop", () => stateOf(program.pid) === "T");
  }
  await waitFor("the end of the stop", () => stateOf(program.pid) !== "T");
});

test("a program gets as many further descriptors as it is left, and all again afterwards", async () => {
  await using folder = await temporaryFolder();
  const expression = `(() => { try { return fs.openSync("/dev/null") } catch (error) { return error.code } })()`;
  await using program = run(folder.path, {}, repeating(expression));
  await waitFor("a descriptor", () => program.output() !== "");
  {
    await using _limit = await limitDescriptors(program.pid, 3);
    await waitFor("none", () => lastLine(program.output()) === "EMFILE");
    assert.ok(readdirSync(`/proc/${program.pid}/fd`).length < 500);
  }
  await waitFor("one more", () => /^\d+$/.test(lastLine(program.output())));
});

test("a disk is full, and has room again", async () => {
  await using disk = await ownDisk(16);
  const path = join(disk.path, "new");
  {
    using _filling = disk.fill();
    await assert.rejects(writeFile(path, "x"), { code: "ENOSPC" });
  }
  await writeFile(path, "x");
});

test("who writes to a frozen disk waits until it is none any more", async () => {
  await using disk = await ownDisk(16);
  await using folder = await temporaryFolder();
  const expression = `(fs.writeFileSync(${JSON.stringify(join(disk.path, "new"))}, "x"), ++globalThis.times || (globalThis.times = 1))`;
  await using program = run(folder.path, {}, repeating(expression));
  await waitFor("a write", () => program.output() !== "");
  {
    await using _freeze = await disk.freeze();
    await waitFor("it to hang", () => stateOf(program.pid) === "D");
  }
  const { length } = program.output();
  await waitFor("a further write", () => program.output().length > length);
});

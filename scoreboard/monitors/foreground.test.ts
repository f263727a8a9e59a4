import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";

import { hasEnded } from "../../test/child-processes.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import { enterAs, runParts, type Part } from "./foreground.ts";

const world = { enter: ["env"], folder: tmpdir() };
const never = { stopped: /^nothing$/m };

function shell(script: string, more: Partial<Part> = {}): Part {
  return { name: "part", command: ["sh", "-c", script], ...more };
}

/** An ended process has no command line or an empty one. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path, "utf8") !== "";
}

test("all processes of a monitor are found, and end with it", async () => {
  const running = runParts(world, [shell("sleep 1000 & echo started; wait")], never);
  await waitFor(
    "both processes",
    () => running.log() === "started\n" && running.pids().length === 2,
  );
  assert.equal(running.stoppedAlerting(), undefined);
  const pids = running.pids();
  await running[Symbol.asyncDispose]();
  assert.deepEqual(running.pids(), []);
  await waitFor("the end of the child too", () => pids.every((pid) => !isRunning(pid)));
});

test("a monitor that ended, or says so in its log, has stopped alerting", async () => {
  await using ended = runParts(world, [shell("exit 3")], never);
  assert.equal(await waitFor("the end", () => ended.stoppedAlerting()), "part ended with 3");
  const stopped = /^cannot .*$/m;
  await using logged = runParts(world, [shell("echo cannot alert; exec sleep 1000")], { stopped });
  assert.equal(await waitFor("the line", () => logged.stoppedAlerting()), "cannot alert");
});

test("a restart ends all processes, and starts the parts again", async () => {
  await using running = runParts(world, [shell("echo started; exec sleep 1000")], never);
  await waitFor("the start", () => running.log() === "started\n");
  const before = running.pids();
  await running.restart();
  await waitFor("the second start", () => running.log() === "started\nstarted\n");
  assert.notDeepEqual(running.pids(), before);
  assert.equal(running.stoppedAlerting(), undefined);
});

test("a part whose unit restarts it is started again, and given up where it ends at once each time", async () => {
  const part = shell("echo started; exit 1", { restartSeconds: 0 });
  await using running = runParts(world, [part], never);
  assert.equal(
    await waitFor("giving up", () => running.stoppedAlerting()),
    "part ended with 1, 5 times in 10 s",
  );
  assert.equal(running.log(), "started\n".repeat(5));
});

test("an upgrade lets the parts end by themselves, and keeps the database", async () => {
  const database = shell("exec sleep 1000", { isDatabase: true });
  const server = shell("trap 'echo ended; exit 0' TERM; echo started; sleep 1000 & wait");
  await using running = runParts(world, [database, server], never);
  await waitFor("the start", () => running.log() === "started\n");
  const [databasePid, serverPid] = running.pids();
  await running.partTroubles.upgrade?.();
  await waitFor("the second start", () => running.log() === "started\nended\nstarted\n");
  assert.equal(running.pids()[0], databasePid);
  assert.equal(running.pids().includes(serverPid ?? 0), false);
  assert.equal(running.stoppedAlerting(), undefined);
});

test("what a part starts while it ends is ended with it", async () => {
  const part = shell(
    "trap 'sleep 1000 & echo left $!; exit 0' TERM; echo started; while :; do sleep 0.05; done",
  );
  const running = runParts(world, [part], never);
  await waitFor("the start", () => running.log() === "started\n");
  await running[Symbol.asyncDispose]();
  const [, left = ""] = /left (\d+)/.exec(running.log()) ?? [];
  assert.match(left, /^\d+$/);
  await waitFor("its end", () => hasEnded(Number(left)));
});

test("a database is stopped for as long as its trouble lasts, and nothing else", async () => {
  const parts = [shell("exec sleep 1000"), shell("exec sleep 1000", { isDatabase: true })];
  await using running = runParts(world, parts, never);
  const states = (): readonly string[] =>
    running
      .pids()
      .map((pid) => /\) (.)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "");
  await waitFor("both run", () => states().join("") === "SS");
  {
    await using _trouble = await running.partTroubles.database?.();
    await waitFor("the database is stopped", () => states().join("") === "ST");
  }
  await waitFor("both run again", () => states().join("") === "SS");
  await using plain = runParts(world, [shell("exec sleep 1000")], never);
  assert.equal(plain.partTroubles.database, undefined);
});

test("rights are given up before the environment is set, which may load a library", () => {
  const entered = (...words: readonly string[]): string =>
    enterAs(words, ["--reuid=nobody"]).join(" ");
  assert.equal(entered("nsenter", "env", "A=b"), "nsenter setpriv --reuid=nobody env A=b");
  assert.equal(entered("nsenter"), "nsenter setpriv --reuid=nobody");
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { waitFor } from "../time/wait-for.ts";
import { isInSandbox, runInSandbox } from "./sandbox.ts";

const SECONDS = "3002";

/** Counts the processes started by the lasting program. */
function sleeping(): number {
  const isOurs = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `sleep\0${SECONDS}\0`;
    } catch {
      return false;
    }
  };
  return readdirSync("/proc").filter(isOurs).length;
}

if (isInSandbox) {
  spawn("sleep", [SECONDS], { detached: true, stdio: "inherit" });
  process.stdout.write("waits for what does not happen\n");
  setInterval(() => {}, 1000);
} else
  test("a program in a world of its own that does not end fails with what it said, and ends with all that it started", async () => {
    await assert.rejects(
      runInSandbox(import.meta.filename, 3000),
      /did not end within 3 s, and said:\nwaits for what does not happen/,
    );
    await waitFor("nothing of it is left", () => sleeping() === 0);
  });

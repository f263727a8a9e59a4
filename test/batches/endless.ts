import { spawn } from "node:child_process";
import { test } from "node:test";

/** A test that passes in a process that does not end, nor does what it started. */
process.on("SIGTERM", () => {});
test("this passes", () => {
  spawn("sleep", ["3000"], { detached: true, stdio: "inherit" });
  spawn("sleep", ["3001"], { stdio: "inherit", env: {} });
  setInterval(() => {}, 1000);
});

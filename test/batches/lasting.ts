import { spawn } from "node:child_process";
import { test } from "node:test";

/** A test that never ends, with servers in groups of their own: one that another process started, and one without the environment of the tests. */
test("this lasts until somebody ends it", async () => {
  spawn("sh", ["-c", "sleep 3000 & echo"], { detached: true, stdio: "ignore" });
  spawn("sleep", ["3001"], { detached: true, stdio: "ignore", env: {} });
  await new Promise(() => setInterval(() => {}, 1000));
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const AUTOGROUPS = "/proc/sys/kernel/sched_autogroup_enabled";
const hasAutogroups = existsSync(AUTOGROUPS) && readFileSync(AUTOGROUPS, "utf8").trim() === "1";

const attacker = `
  import { readFileSync } from "node:fs";
  import { getPriority } from "node:os";
  import { lowerPriority } from ${JSON.stringify(new URL("low-priority.ts", import.meta.url).href)};
  lowerPriority(10);
  const session = ${hasAutogroups} ? readFileSync("/proc/self/autogroup", "utf8") : "nice 10";
  process.stdout.write(JSON.stringify([getPriority(), /nice (-?\\d+)/.exec(session)?.[1]]));
`;

test("an attacker computes after others in its session and in other sessions", async () => {
  const args = ["--input-type=module", "--eval", attacker];
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  assert.deepEqual(JSON.parse(await text(child.stdout)), [10, "10"]);
});

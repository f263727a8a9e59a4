import assert from "node:assert/strict";
import { test } from "node:test";

import { isInSandbox, runInSandbox } from "../e2e/sandbox.ts";
import { runStorm } from "./storm.ts";

const SEED = 20_261_121;

if (isInSandbox) {
  test("no state is wrong, and no alert wrong, lost, doubled or reordered, under kills, a full disk, changes and receivers that misbehave", async () => {
    const { histories, ...report } = await runStorm({
      seed: SEED,
      plain: { push: 30, stale: 2, probed: 3 },
      changed: { push: 6, stale: 1, probed: 2 },
      accounts: 1,
      hasDelays: false,
      cycles: 1,
      stormySeconds: 18,
      calmSeconds: 0,
      kinds: ["kill", "full", "freeze", "pause"],
      longestSeconds: 4,
      settleSeconds: 600,
    });
    assert.deepEqual(histories, []);
    assert.ok(
      report.flips > 40 && report.delivered > 40 && report.joint > 0,
      JSON.stringify(report),
    );
  });
} else test("a short storm, in a world of its own", () => runInSandbox(import.meta.filename));

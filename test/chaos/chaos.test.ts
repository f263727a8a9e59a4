import assert from "node:assert/strict";
import { test } from "node:test";

import { isInSandbox, runInSandbox } from "../e2e/sandbox.ts";
import { runStorm } from "./storm.ts";

const SEED = 20_261_121;

if (isInSandbox) {
  test("no alert is lost, doubled or reordered by kills, a full disk and receivers that misbehave", async () => {
    const report = await runStorm({ seed: SEED, checks: 60, beats: 3, kills: 2, floods: 1 });
    const { flips, delivered, joint } = report;
    assert.ok(flips > 60 && delivered > 60 && joint > 0, JSON.stringify(report));
  });
} else test("a short storm, in a world of its own", () => runInSandbox(import.meta.filename));

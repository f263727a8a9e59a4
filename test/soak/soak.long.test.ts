import assert from "node:assert/strict";
import { test } from "node:test";

import { isInSandbox, runInSandbox } from "../e2e/sandbox.ts";
import { attacks } from "./attacks.ts";
import { runSoak } from "./soak.ts";
import { detailsOf } from "./table.ts";

const SEED = 20_261_122;

if (isInSandbox) {
  test("nobody is alerted wrongly, late by a tick or not at all while everything attacks at once", async () => {
    const report = await runSoak({
      seed: SEED,
      counts: { accounts: 2, probed: 16, switched: 4, push: 6 },
      attacks,
      scale: 0.01,
      rate: 0.05,
      seconds: 8,
      staysS: [6, 12],
      // Promised times are for `npm run soak`: on a loaded machine delays come from the machine, and waiting work takes memory.
      limits: {
        healthMs: Infinity,
        memoryMb: 1024,
        growthMb: Infinity,
        tickLateMs: 60_000,
        alertLateMs: 120_000,
        signInMs: Infinity,
      },
      settings: {},
      say: () => {},
    });
    const details = detailsOf(report).join("\n");
    assert.deepEqual(report.findings, [], details);
    assert.ok(
      report.floods.every(({ sent }) => sent > 0),
      details,
    );
  });
} else test("a short soak, in a world of its own", () => runInSandbox(import.meta.filename));

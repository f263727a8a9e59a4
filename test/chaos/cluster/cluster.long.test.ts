import assert from "node:assert/strict";
import { test } from "node:test";

import { isInSandbox, runInSandbox } from "../../e2e/sandbox.ts";
import { runCluster } from "./cluster.ts";

const SEED = 20_261_122;

if (isInSandbox) {
  test("no state is wrong, no alert wrong, lost or doubled, and every tick accounted for, while a process is killed, another stopped and a region cut off", async (t) => {
    const { histories, ...report } = await runCluster({
      seed: SEED,
      layout: {
        serving: ["api", "notifier"],
        control1: ["controller"],
        control2: ["controller"],
      },
      counts: { push: 4, stale: 1, probed: 6 },
      kinds: [["pauseControllerInUnit"], ["cutRegion", "killController"]],
      seconds: 0,
      lullMs: 1000,
      settleSeconds: 120,
      say: (what) => t.diagnostic(what),
    });
    assert.deepEqual(histories, []);
    const facts = JSON.stringify({ ...report, handovers: report.handovers.length });
    assert.ok(report.flips > 10 && report.delivered > 5, facts);
    assert.ok(
      report.handovers.some(({ isTakeOver }) => isTakeOver),
      facts,
    );
  });
} else
  test("a short storm over a cluster, in a world of its own", () =>
    runInSandbox(import.meta.filename));

import assert from "node:assert/strict";
import { test } from "node:test";

import { ALERTED_WITHIN_MS, INTERVAL_MS, runTrial } from "./trial.ts";

test("with PostgreSQL at 100 ms checks keep their interval, leases and readiness hold, no heartbeat is refused, and every outage and every recovery is alerted within a minute", async () => {
  const figures = await runTrial({ roundTripMs: 100, eachStateMs: INTERVAL_MS });
  const { missedRuns, lostLeases, unready, refused, lastDownMs, lastUpMs, measuredMs } = figures;
  assert.deepEqual(
    { missedRuns, lostLeases, unready, refused },
    { missedRuns: 0, lostLeases: 0, unready: 0, refused: 0 },
  );
  for (const ms of [lastDownMs, lastUpMs])
    assert.ok(ms <= ALERTED_WITHIN_MS, `alerted after ${ms} ms`);
  for (const ms of measuredMs) assert.ok(ms >= 100, `measured ${ms} ms`);
});

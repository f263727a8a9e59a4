import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { passed } from "../../domain/run/outcome.ts";
import { createStartLimiter, limitStarts } from "./start-limiter.ts";

test("eight begin in a turn of the event loop, in order", async () => {
  const starts = createStartLimiter();
  const begun: number[] = [];
  const counts: number[] = [];
  for (let number = 0; number < 30; number += 1) void starts.next().then(() => begun.push(number));
  for (let turn = 0; turn < 4; turn += 1) {
    await Promise.resolve();
    counts.push(begun.length);
    await setImmediate();
  }
  assert.deepEqual(counts, [8, 16, 24, 30]);
  assert.deepEqual(
    begun,
    Array.from({ length: 30 }, (_, index) => index),
  );
});

test("the wait for its turn is no part of a run", async () => {
  const outcome = passed("ok", "ok");
  const report = { startOffsetMs: 0, endOffsetMs: 5, outcome, connectivityConfirmed: false };
  let now = 100;
  const { runJob } = limitStarts(
    { runJob: () => Promise.resolve(report), runDiagnostics: () => Promise.resolve([]) },
    {
      next() {
        now += 40;
        return Promise.resolve();
      },
    },
    { monotonic: () => now },
  );
  const job = { checkId: "a", accountId: "a", type: "HTTP", parameters: {}, timeoutMs: 5000 };
  assert.deepEqual(await runJob({ id: "a.1.1.1", ...job }), {
    ...report,
    startOffsetMs: 40,
    endOffsetMs: 45,
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { drainEventLoop, fakeClock } from "../../test/time/fake-clock.ts";
import { systemClock } from "../kit/clock.ts";
import { passed } from "../domain/run/outcome.ts";
import { createStartLimiter, limitStarts } from "./start-limiter.ts";

test("eight begin in a turn of the event loop, in order", async () => {
  const starts = createStartLimiter(systemClock, () => true);
  const begun: number[] = [];
  const counts: number[] = [];
  for (let number = 0; number < 30; number += 1)
    void Promise.resolve(starts.next("alice")).then(() => begun.push(number));
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

// guard: turns to begin in a probe thread
test("accounts take turns: who has many that wait to begin holds up no other", async () => {
  const starts = createStartLimiter(systemClock, () => true);
  const begun: string[] = [];
  const begin = (name: string): void =>
    void Promise.resolve(starts.next(name)).then(() => begun.push(name));
  for (let number = 0; number < 300; number += 1) begin("mallory");
  for (const name of ["alice", "bob"]) begin(name);
  await Promise.resolve();
  await setImmediate();
  assert.deepEqual(begun.slice(8), ["mallory", "alice", "bob", ...Array(5).fill("mallory")]);
});

test("an account that may not begin waits, holds up no other, and begins when it may", async () => {
  const clock = fakeClock();
  const held = new Set(["mallory"]);
  const starts = createStartLimiter(clock, (accountId) => !held.has(accountId));
  const begun: string[] = [];
  const begin = (name: string): void =>
    void Promise.resolve(starts.next(name)).then(() => begun.push(name));
  for (let number = 0; number < 9; number += 1) begin("mallory");
  begin("alice");
  await drainEventLoop();
  assert.deepEqual([begun, clock.pending()], [["alice"], 1]);
  held.clear();
  await clock.advance(20);
  await drainEventLoop();
  assert.deepEqual([begun.length, clock.pending()], [10, 0]);
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

import assert from "node:assert/strict";
import { test } from "node:test";

import { drainEventLoop, fakeClock } from "../../test/time/fake-clock.ts";
import { poll } from "./poll.ts";
import { createWakeSignal } from "./wake-signal.ts";

function polled(round: (count: number) => Promise<number>, isWakeable = false) {
  const clock = fakeClock();
  const stopping = new AbortController();
  const errors: unknown[] = [];
  const wakeSignal = createWakeSignal(clock);
  let rounds = 0;
  const running = poll({
    clock,
    signal: stopping.signal,
    round: () => round((rounds += 1)),
    onError: (error) => errors.push(error),
    errorDelayMs: 5000,
    ...(isWakeable && { wakeSignal }),
  });
  return { clock, stopping, errors, wakeSignal, running, rounds: () => rounds };
}

test("each round says how long to wait before the next", async () => {
  const { clock, stopping, running, rounds } = polled((count) =>
    Promise.resolve(count < 3 ? 0 : 1000),
  );
  await drainEventLoop();
  assert.equal(rounds(), 3);
  await clock.advance(999);
  assert.equal(rounds(), 3);
  await clock.advance(1);
  assert.equal(rounds(), 4);
  stopping.abort();
  await running;
  assert.equal(clock.pending(), 0);
});

test("a round that fails is reported, and the next one follows after a pause", async () => {
  const failure = new Error("disk full");
  const { clock, stopping, errors, running, rounds } = polled((count) =>
    count === 1 ? Promise.reject(failure) : Promise.resolve(1000),
  );
  await clock.advance(4999);
  assert.deepEqual([rounds(), errors], [1, [failure]]);
  await clock.advance(1);
  assert.equal(rounds(), 2);
  stopping.abort();
  await running;
});

test("a wake ends the wait, and one during a round counts for the wait after it", async () => {
  const { clock, stopping, wakeSignal, running, rounds } = polled((count) => {
    if (count === 2) wakeSignal.wake();
    return Promise.resolve(60_000);
  }, true);
  await drainEventLoop();
  assert.equal(rounds(), 1);
  wakeSignal.wake();
  await drainEventLoop();
  assert.equal(rounds(), 3);
  stopping.abort();
  await running;
  assert.equal(clock.pending(), 0);
});

test("without time left no round begins", async () => {
  const { stopping, running, rounds } = polled(() => Promise.resolve(0));
  stopping.abort();
  await running;
  assert.ok(rounds() <= 1);
});

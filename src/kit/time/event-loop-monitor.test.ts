import assert from "node:assert/strict";
import { test } from "node:test";

import { blockableClock } from "../../../test/time/blockable-clock.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createEventLoopMonitor } from "./event-loop-monitor.ts";

test("what is done on time has no stall", async () => {
  const clock = fakeClock();
  const lag = createEventLoopMonitor(clock);
  await clock.advance(5000);
  assert.equal(lag.stalledSince(0), 0);
  lag.stop();
  assert.equal(clock.pending(), 0);
});

test("a stall counts for what began before its end, and for nothing later", async () => {
  const clock = blockableClock();
  const lag = createEventLoopMonitor(clock);
  await clock.advance(1000);
  const before = clock.monotonic();
  await clock.block(500);
  await clock.advance(20);
  const after = clock.monotonic();
  await clock.advance(1000);
  assert.ok(Math.abs(lag.stalledSince(before) - 500) <= 20, String(lag.stalledSince(before)));
  assert.ok(Math.abs(lag.stalledSince(before + 400) - 100) <= 20);
  assert.equal(lag.stalledSince(after), 0);
  lag.stop();
});

test("a stall counts in the turn in which it ends", async () => {
  const clock = blockableClock();
  const lag = createEventLoopMonitor(clock);
  await clock.advance(100);
  const start = clock.monotonic();
  await clock.block(300);
  assert.ok(Math.abs(lag.stalledSince(start) - 300) <= 20);
  lag.stop();
});

test("a delay too short for a chart is no stall", async () => {
  const clock = blockableClock();
  const lag = createEventLoopMonitor(clock);
  for (let turn = 0; turn < 50; turn += 1) {
    await clock.block(15);
    await clock.advance(40);
  }
  assert.equal(lag.stalledSince(0), 0);
  lag.stop();
});

test("stalls of long ago are forgotten", async () => {
  const clock = blockableClock();
  const lag = createEventLoopMonitor(clock);
  await clock.block(1000);
  await clock.advance(100);
  assert.ok(lag.stalledSince(0) > 0);
  await clock.advance(200_000);
  assert.equal(lag.stalledSince(0), 0);
  lag.stop();
});

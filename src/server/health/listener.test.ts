import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createInterruptions } from "../../kit/interruptions.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import { createProcessInterruptions, unreadyReasons } from "./interruptions.ts";
import { createListenerMonitor } from "./listener.ts";

/** A listener whose descriptors run out when the test says so. */
function startListener() {
  const clock = fakeClock();
  const interruptions = createInterruptions(clock);
  let isExhausted = false;
  const listener = createListenerMonitor({
    clock,
    interruptions,
    tryDescriptor() {
      if (isExhausted) throw new Error("EMFILE");
    },
  });
  const stopping = new AbortController();
  const running = listener.run(stopping.signal);
  return {
    clock,
    interruptions,
    listener,
    exhaust: (exhausted: boolean) => void (isExhausted = exhausted),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

test("until it listens, and while it has no descriptor left, a process cannot accept connections", async () => {
  await using site = startListener();
  const isOpen = (): boolean => site.interruptions.open().length > 0;
  site.exhaust(true);
  await site.clock.advance(2000);
  assert.equal(isOpen(), true);
  site.exhaust(false);
  site.listener.listening();
  await site.clock.advance(2000);
  assert.equal(isOpen(), false);
  const from = site.clock.monotonic();
  for (let count = 0; count < 4; count += 1) {
    site.exhaust(true);
    await site.clock.advance(500);
    site.exhaust(false);
    await site.clock.advance(500);
    assert.equal(isOpen(), true, "they come and go");
  }
  await site.clock.advance(1000);
  assert.equal(isOpen(), false);
  const lostMs = site.interruptions.lostSince(from);
  assert.ok(lostMs >= 4000 && lostMs <= 5000, String(lostMs));
});

test("a connection that could not be accepted is an interruption", async () => {
  await using site = startListener();
  site.listener.listening();
  site.listener.failed();
  await site.clock.advance(900);
  assert.deepEqual(
    site.interruptions.open().map(({ cause }) => cause),
    ["listener"],
  );
  await site.clock.advance(500);
  assert.deepEqual(site.interruptions.open(), []);
});

test("a process is not ready while it cannot accept connections, and for some seconds after it stood still; each is counted and logged when it ends, a start only counted", async () => {
  const clock = fakeClock();
  const reported: unknown[] = [];
  const interruptions = createProcessInterruptions({
    clock,
    log: { ...silentLog, warn: (event, fields) => reported.push(event, fields) },
    meter: { ...noMeter, count: (...counted) => reported.push(...counted) },
  });
  assert.deepEqual(unreadyReasons(interruptions, clock), []);
  const end = interruptions.begin("listener");
  await clock.advance(3000);
  assert.deepEqual(unreadyReasons(interruptions, clock), [
    "no connection could be accepted for the last 3 s",
  ]);
  end();
  const now = clock.monotonic();
  interruptions.record("stalled", now - 2500, now);
  assert.deepEqual(unreadyReasons(interruptions, clock), [
    "the process stood still for 3 s until a moment ago",
  ]);
  await clock.advance(5001);
  assert.deepEqual(unreadyReasons(interruptions, clock), []);
  assert.deepEqual(reported.slice(0, 3), ["interruption_seconds", { cause: "listener" }, 3]);
  assert.equal(reported.length, 10);
  interruptions.begin("start")();
  assert.deepEqual(reported.slice(10), ["interruption_seconds", { cause: "start" }, 0]);
});

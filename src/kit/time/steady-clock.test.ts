import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createSteadyClock } from "./steady-clock.ts";

const hour = 3_600_000;

/** A steady clock over one that is set by hand, and what it did. */
function startFollowing(adopt: (byMs: number) => Promise<void> = () => Promise.resolve()) {
  const system = fakeClock();
  const clock = createSteadyClock(system);
  const stopping = new AbortController();
  const events: unknown[][] = [];
  clock.onStep((byMs) => events.push(["step", byMs, clock.now() - system.now()]));
  const following = clock.follow({
    async adopt(byMs, set) {
      events.push(["adopt", byMs, clock.now() - system.now()]);
      await adopt(byMs);
      set();
      events.push(["set", clock.now() - system.now()]);
    },
    adopted: ({ byMs, from }) => events.push(["adopted", byMs, system.monotonic() - from]),
    failed: (error) => events.push(["failed", error]),
    signal: stopping.signal,
  });
  return {
    system,
    clock,
    events,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await system.advance(1000);
      await following;
    },
  };
}

// guard: a clock that was set
test("a clock that is set is followed once what waits has been moved, and nobody sees it before", async () => {
  await using site = startFollowing();
  await site.system.advance(1000);
  for (const byMs of [hour, -2 * hour]) {
    site.events.length = 0;
    site.system.step(byMs);
    assert.equal(site.clock.now() - site.system.now(), -byMs);
    await site.system.advance(250);
    assert.deepEqual(site.events, [
      ["adopt", byMs, -byMs],
      ["set", 0],
      ["adopted", byMs, 250],
      ["step", byMs, 0],
    ]);
    assert.equal(site.clock.now(), site.system.now());
  }
});

test("while what waits cannot be moved the old time goes on, and the error is reported once", async () => {
  let isBroken = true;
  const error = new Error("disk full");
  await using site = startFollowing(() => (isBroken ? Promise.reject(error) : Promise.resolve()));
  const before = site.clock.now();
  site.system.step(hour);
  await site.system.advance(5000);
  assert.equal(site.clock.now() - before, 5000);
  assert.deepEqual(
    site.events.filter(([kind]) => kind !== "adopt"),
    [["failed", error]],
  );
  isBroken = false;
  await site.system.advance(1000);
  assert.equal(site.clock.now(), site.system.now());
});

test("a correction below a second is followed at once, and is no step", async () => {
  await using site = startFollowing();
  for (const byMs of [900, -900, 3]) site.system.step(byMs);
  site.system.step(500);
  await site.system.advance(250);
  assert.deepEqual([site.clock.now() - site.system.now(), site.events], [0, []]);
});

test("a stop of the process between two readings is no step", () => {
  let monotonic = 0;
  let stopsMs = 5000;
  const clock = createSteadyClock({
    ...fakeClock(),
    now: () => 10_000 + monotonic,
    monotonic() {
      const before = monotonic;
      monotonic += stopsMs;
      stopsMs = 0;
      return before;
    },
  });
  assert.equal(clock.now(), 15_000);
});

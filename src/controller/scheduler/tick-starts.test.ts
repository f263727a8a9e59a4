import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck, minute, noon } from "../../../test/record-builders.ts";
import { noHostLimits } from "../../kit/concurrency/host-limiter.ts";
import { silentLog } from "../../kit/log.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";
import { createCheckTimers } from "./check-timers.ts";
import { createTickStarts } from "./tick-starts.ts";

function anActive(no: number, intervalMinutes: number): ActiveCheck {
  const check = { ...aCheck(`CHECK${no}`, { intervalMinutes }), no };
  return {
    check,
    state: undefined,
    openGap: undefined,
    primaryId: check.accountId,
    regions: ["wlw"],
    recheckWait: 0,
    failingLocations: [],
    activeSince: 0,
    lastTick: undefined,
    lastStartedAt: undefined,
    certificates: [],
  };
}

/** Creates checks with an overdue tick, on a clock that the test advances. */
function startTicks(count: number, intervalMinutes: number) {
  let at = 1_000_000;
  const clock = {
    now: () => noon + at,
    monotonic: () => at,
    setTimer: () => ({ cancel() {} }),
    onStep() {},
  };
  const missed = new Map<string, number>();
  const timers = createCheckTimers(clock);
  let begun = 0;
  const ticks = createTickStarts(
    {
      store: { write: () => new Promise(() => {}) },
      runTick: () => Promise.resolve(true).finally(() => void (begun += 1)),
      hostLimits: noHostLimits,
      clock,
      log: silentLog,
      meter: {
        count(event, labels, by = 1) {
          if (event === "scheduler.tick_missed")
            missed.set(labels?.reason ?? "", (missed.get(labels?.reason ?? "") ?? 0) + by);
        },
        observe() {},
      },
    },
    timers,
  );
  for (let no = 1; no <= count; no += 1)
    ticks.startIn(timers.add(anActive(no, intervalMinutes)), clock.now() - 1, 100);
  return {
    missed,
    /** Advances the clock by one turn and returns the number of started runs. */
    turn: async (ms: number): Promise<number> => {
      at += ms;
      const before = begun;
      ticks.nextTurn();
      timers.advance(ticks.fire);
      await new Promise(setImmediate);
      return begun - before;
    },
  };
}

test("of what was due before fifty begin in a turn, and the others soon after", async () => {
  const { turn, missed } = startTicks(120, 1440);
  assert.equal(await turn(150), 50);
  let begun = 50;
  for (let turns = 0; turns < 60; turns += 1) begun += await turn(50);
  assert.equal(begun, 120);
  assert.equal(missed.size, 0);
});

test("what was due before stands behind what is due in a loop that is late, and is missed because the service was not running", async () => {
  const { turn, missed } = startTicks(20, 1);
  let begun = 0;
  for (let ms = 0; ms < minute; ms += 200) begun += await turn(200);
  assert.equal(begun, 20);
  assert.deepEqual([...missed], [["not_running", 20]]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck, alice, carol, minute, noon } from "../../../test/record-builders.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import type { Check } from "../../domain/check.ts";
import { sleep } from "../../kit/clock.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import { createCheckTimers } from "./check-timers.ts";
import { createDueRuns } from "./due-runs.ts";
import type { ScheduledCheck } from "./scheduled-check.ts";
import { noHostLimits } from "../../kit/concurrency/host-limiter.ts";

const TARPITS = 3600;
const SUBACCOUNTS = 50;
const HONEST = 12;
const MAX_LATE_MS = 5000;
const TURN_MS = 50;
/** Three attempts of a minute each. */
const HANGS_MS = 180_000;

test("3,600 checks of targets that hang, in 50 subaccounts, delay no check of another account", async () => {
  const clock = fakeClock();
  const timers = createCheckTimers(clock);
  let hanging = 0;
  let ran = 0;
  const runs = createDueRuns({
    async runTick({ active: { check }, tick, signal }) {
      if (check.accountId !== alice.id) {
        hanging += 1;
        await sleep(clock, HANGS_MS, signal);
        return true;
      }
      ran += 1;
      assert.ok(clock.now() - tick <= MAX_LATE_MS, `${clock.now() - tick} ms late`);
      return true;
    },
    undecided() {},
    ended() {},
    hostLimits: noHostLimits,
    clock,
    log: silentLog,
    meter: noMeter,
  });
  const add = (no: number, changes: Partial<Check>): ScheduledCheck =>
    timers.add({
      check: { ...aCheck(`CHECK${no}`, changes), no },
      state: undefined,
      openGap: undefined,
      // Many subaccounts of one primary account, or one account that has none.
      primaryId: changes.accountId?.startsWith("SUB") === true ? carol.id : alice.id,
      recheckWait: 0,
      failingLocations: [],
      regions: [],
      activeSince: noon,
      lastTick: undefined,
      lastStartedAt: undefined,
      certificates: [],
    });
  const tarpits = Array.from({ length: TARPITS }, (_, no) =>
    add(no, {
      accountId: `SUB${no % SUBACCOUNTS}`,
      parameters: { target: `host${no}.example.net`, port: 80 },
    }),
  );
  const honest = Array.from({ length: HONEST }, (_, index) =>
    add(TARPITS + index, { accountId: alice.id }),
  );
  /** Evenly over the minute, as their phases are. */
  const startDue = (checks: readonly ScheduledCheck[], turn: number): void => {
    const turns = minute / TURN_MS;
    const upTo = (at: number): number => Math.floor((at * checks.length) / turns);
    for (const check of checks.slice(upTo(turn % turns), upTo((turn % turns) + 1)))
      if (check.running === undefined) runs.add(check, clock.now());
  };
  for (let turn = 0; turn < (3 * minute) / TURN_MS; turn += 1) {
    startDue(tarpits, turn);
    if (clock.now() - noon >= minute) startDue(honest, turn);
    runs.nextTurn();
    await clock.advance(TURN_MS);
  }
  assert.equal(ran, 2 * HONEST);
  assert.ok(hanging >= 3000, `alone it had as many places as there were: ${hanging}`);
  const stopped = runs.stop();
  await clock.advance(HANGS_MS);
  await stopped;
});

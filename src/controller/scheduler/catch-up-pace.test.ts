import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck, minute, noon } from "../../../test/record-builders.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";
import { createCatchUpPace } from "./catch-up-pace.ts";
import { tickAfter } from "./scheduled-check.ts";

function active(no: number, intervalMinutes: number): ActiveCheck {
  const check = { ...aCheck(`CHECK${no}`, { intervalMinutes }), no };
  const schedule = {
    regions: [],
    recheckWait: 0,
    failingLocations: [],
    activeSince: 0,
    lastTick: undefined,
    lastStartedAt: undefined,
    certificates: [],
  };
  return {
    check,
    primaryId: check.accountId,
    state: undefined,
    openGap: undefined,
    ...schedule,
  };
}

test("a few that are due at the start run at once", () => {
  const pace = createCatchUpPace(fakeClock());
  const delays = Array.from({ length: 200 }, (_, no) => pace.delayOf(active(no, 1), noon));
  assert.deepEqual(new Set(delays), new Set([0]));
});

test("very many are spread evenly over half a minute, each before its next tick", () => {
  const pace = createCatchUpPace(fakeClock());
  const all = Array.from({ length: 20_000 }, (_, no) => active(no, no % 2 === 0 ? 1 : 60));
  const delays = all.map((one) => pace.delayOf(one, noon));
  for (const [no, one] of all.entries())
    assert.ok((delays[no] ?? Infinity) < tickAfter(one, noon) - noon);
  assert.ok(delays.every((ms) => ms <= minute / 2));
  const inSecond = Map.groupBy(delays, (ms) => Math.floor(ms / 1000));
  const most = Math.max(...[...inSecond.values()].map(({ length }) => length));
  assert.ok(most < 20_000 / 15, `${most} in one second`);
});

test("those that are taken over later wait for no turn of those of the start", async () => {
  const clock = fakeClock();
  const pace = createCatchUpPace(clock);
  for (let no = 0; no < 20_000; no += 1) pace.delayOf(active(no, 60), noon);
  await clock.advance(minute);
  const delays = Array.from({ length: 200 }, (_, no) => pace.delayOf(active(no, 60), noon));
  assert.deepEqual(new Set(delays), new Set([0]));
});

import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { aCheck, minute, noon } from "../../../test/record-builders.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";
import { mergeMissed, missedTick } from "./missed-ticks.ts";
import { isAheadOfClock, latestTickOf, missedBefore, tickAfter } from "./scheduled-check.ts";

function active(id: string, intervalMinutes: number): ActiveCheck {
  const check = { ...aCheck(id, { intervalMinutes }), no: 1 };
  const record = { check, state: undefined, openGap: undefined };
  return {
    ...record,
    primaryId: check.accountId,
    regions: ["wlw"],
    recheckWait: 0,
    failingLocations: [],
    activeSince: noon,
    lastTick: undefined,
    lastStartedAt: undefined,
    certificates: [],
  };
}

const anActive = fc
  .tuple(fc.string(), fc.oneof(fc.constantFrom(0.25, 0.5), fc.integer({ min: 1, max: 2880 })))
  .map(([id, interval]) => active(id, interval));
const instant = fc.integer({ min: noon, max: noon + 90 * 1440 * minute });

test("a tick has the check's own phase, the latest at or before and the next after any instant", () => {
  fc.assert(
    fc.property(anActive, instant, (one, at) => {
      const [latest, next] = [latestTickOf(one, at), tickAfter(one, at)];
      assert.ok(latest <= at && at < next);
      assert.equal(next - latest, one.check.intervalMinutes * minute);
    }),
  );
});

test("missed are exactly the check's ticks between the last one and this", () => {
  fc.assert(
    fc.property(anActive, instant, fc.nat(20), (one, lastTick, count) => {
      const interval = one.check.intervalMinutes * minute;
      const tick = tickAfter(one, lastTick) + count * interval;
      const missed = missedBefore({ active: one, lastTick, isCatchUp: false }, tick);
      assert.equal(missed?.ticks ?? 0, count);
      if (missed === undefined) return;
      assert.equal(missed.firstTick, tickAfter(one, lastTick));
      assert.equal(missed.lastTick, tick - interval);
    }),
  );
});

test("a check that never ran has missed nothing", () => {
  assert.equal(
    missedBefore({ active: active("a", 1), lastTick: undefined, isCatchUp: false }, noon),
    undefined,
  );
});

test("missed ticks of one reason in a row are one gap, and no tick gets lost", () => {
  const gaps = fc.array(fc.constantFrom("still_running", "overloaded" as const), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(gaps, fc.nat(12), (reasons, cut) => {
      const gaps = reasons.map((reason, index) => missedTick(noon + index * minute, reason));
      const joined = mergeMissed(mergeMissed([], gaps.slice(0, cut)), gaps.slice(cut));
      assert.equal(
        joined.reduce((sum, { ticks }) => sum + ticks, 0),
        gaps.length,
      );
      assert.ok(joined.every(({ reason }, index) => reason !== joined[index + 1]?.reason));
      assert.equal(joined[0]?.firstTick, gaps[0]?.firstTick);
      assert.equal(joined.at(-1)?.lastTick, gaps.at(-1)?.lastTick);
    }),
  );
});

for (const { ahead, other } of [
  { ahead: -1, other: false },
  { ahead: 0, other: false },
  { ahead: 1, other: false },
  { ahead: 2, other: true },
]) {
  test(`a tick ${ahead} minutes ahead is ${other ? "" : "not "}of another time`, () => {
    assert.equal(isAheadOfClock(noon + ahead * minute, noon), other);
  });
}

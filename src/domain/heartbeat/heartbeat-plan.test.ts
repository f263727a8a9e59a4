import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { minute } from "../../../test/record-builders.ts";
import { minutesOf, testedZones } from "../../../test/time/time-zones.ts";
import { nextStart } from "./cron.ts";
import { countsUntil, expectedAfter, toleratedMs, type HeartbeatPlan } from "./heartbeat-plan.ts";

const day = 1440 * minute;
const plan: HeartbeatPlan = {
  failsWhenLate: true,
  nextTime: undefined,
  timeZone: undefined,
  graceMs: undefined,
  maxRunMs: undefined,
  waitsForRuns: false,
};
const check = { intervalMinutes: 5, rechecks: 3 };

test("without a grace time the rechecks multiply the interval, and none count as one", () => {
  assert.equal(expectedAfter(1000, plan, { check, timeZone: "+00:00" }), 1000 + 5 * minute);
  assert.equal(toleratedMs(plan, check), 10 * minute);
  assert.equal(toleratedMs(plan, { ...check, rechecks: 0 }), 0);
  assert.equal(toleratedMs({ ...plan, graceMs: 7 }, check), 7);
});

test("the zone of a check comes before that of its account", () => {
  const shows = { ...plan, nextTime: (_after: number, zone: string) => (zone === "UTC" ? 1 : 2) };
  const account = { check, timeZone: "Europe/Berlin" };
  assert.equal(expectedAfter(0, shows, account), 2);
  assert.equal(expectedAfter(0, { ...shows, timeZone: "UTC" }, account), 1);
});

// In Samoa a whole day was left out: its time of a cron is at the change, which is near the next.
for (const timeZone of testedZones.filter((each) => each !== "Pacific/Apia"))
  test(`of a job that runs daily in ${timeZone} one heartbeat a day is expected, whatever clocks do`, () => {
    const times = fc.tuple(fc.nat({ max: 59 }), fc.nat({ max: 23 }));
    const aheadMs = fc.nat({ max: 29_000 });
    fc.assert(
      fc.property(minutesOf(timeZone), times, aheadMs, (from, [minuteOf, hour], ahead) => {
        const daily: HeartbeatPlan = {
          ...plan,
          nextTime: (after, zone) => nextStart(`${minuteOf} ${hour} * * *`, after, zone),
        };
        const next = (after: number): number =>
          expectedAfter(after, daily, { check, timeZone }) ?? assert.fail();
        let at = next(from);
        for (let days = 0; days < 4; days += 1) {
          // It comes a little early, by a clock that is ahead.
          const following = next(countsUntil(at - ahead, daily));
          assert.ok(following - at >= day - 3 * 60 * minute, "twice for one day");
          // Elapsed time counts, because a clock change at midnight moves a skipped time to the next day.
          assert.ok(following - at <= day + 3 * 60 * minute, "a day is left out");
          at = following;
        }
      }),
      { numRuns: 25 },
    );
  });

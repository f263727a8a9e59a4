import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { nextStart } from "./cron.ts";
import { expectedHeartbeat } from "./expected-heartbeat.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const monday = Date.UTC(2026, 0, 5);

interface Interval {
  readonly from: number;
  readonly to: number;
}

interface Plan {
  readonly expectedAfter: (at: number) => number | undefined;
  readonly toleratedMs: number;
  readonly sentAgainMs: number;
}

/** When a check with these interruptions since its last heartbeat is stale, as far as is known at `now`. */
function staleAt(seen: number, now: number, lost: readonly Interval[], plan: Plan): number {
  const begun = lost
    .filter(({ from, to }) => from < now && to > seen)
    .map(({ from, to }) => ({ from: Math.max(from, seen), to: Math.min(to, now) }));
  const lostMs = begun.reduce((sum, { from, to }) => sum + to - from, 0);
  const receptiveSince = Math.max(seen, ...begun.map(({ to }) => to));
  return expectedHeartbeat({ seen, receptiveSince, lostMs }, plan)?.staleAt ?? Infinity;
}

/** Interruptions from `monday` on, which do not overlap: how long each is, and how long after the one before. */
const storm = (least: number, most: number): fc.Arbitrary<readonly Interval[]> =>
  fc
    .array(
      fc.record({
        after: fc.integer({ min: least, max: 5 * minute }),
        ms: fc.integer({ min: second, max: most }),
      }),
      { maxLength: 60 },
    )
    .map((list) => {
      let at = monday;
      return list.map(({ after, ms }) => {
        const from = at + after;
        at = from + ms;
        return { from, to: at };
      });
    });

/** A sender that sends once in an interval, and again after 1, 2, 4, 8 and 16 s where it was refused, as `curl --retry 5` does. */
function heardAt(
  at: number,
  lost: readonly Interval[],
  retries: readonly number[],
): number | undefined {
  for (const delay of [0, ...retries]) {
    const sentAt = at + delay;
    if (!lost.some(({ from, to }) => sentAt >= from && sentAt < to)) return sentAt;
  }
  return undefined;
}

const retrying = [1, 3, 7, 15, 31].map((each) => each * second);

for (const { name, retries, most } of [
  {
    name: "sends again what was refused, among interruptions of up to 15 s,",
    retries: retrying,
    most: 15 * second,
  },
  {
    name: "sends each heartbeat once, and loses no two on end to different interruptions,",
    retries: [],
    most: hour,
  },
])
  test(`a sender that ${name} is never silent`, () => {
    fc.assert(
      fc.property(
        storm(31 * second, most),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 7 }),
        (lost, rechecks, intervalMinutes) => {
          const interval = intervalMinutes * minute;
          const plan = {
            expectedAfter: (at: number) => at + interval,
            toleratedMs: interval * (rechecks - 1),
            sentAgainMs: 30 * second,
          };
          let seen = monday;
          let hidden = new Set<Interval | undefined>();
          for (let count = 1; count < 120; count += 1) {
            const sentAt = monday + count * interval;
            const at = heardAt(sentAt, lost, retries);
            if (at === undefined) {
              hidden.add(lost.find(({ from, to }) => sentAt >= from && sentAt < to));
              continue;
            }
            // Times at which the verdict may change: the heartbeat, and the bounds of each interruption.
            const looks = [at, ...lost.flatMap(({ from, to }) => [from, to])].filter(
              (each) => each > seen && each <= at,
            );
            for (const now of looks)
              if (hidden.size <= 1) assert.ok(staleAt(seen, now, lost, plan) >= now - 2 * second);
            seen = at;
            hidden = new Set();
          }
        },
      ),
      { numRuns: 300 },
    );
  });

test("a silence is seen once heartbeats could have been received for two intervals and half a minute, however often that was interrupted", () => {
  fc.assert(
    fc.property(storm(second, 4 * minute), (lost) => {
      const plan = {
        expectedAfter: (at: number) => at + minute,
        toleratedMs: 0,
        sentAgainMs: 30 * second,
      };
      for (let now = monday; now < monday + 10 * hour; now += second) {
        const isLost = lost.some(({ from, to }) => now >= from && now < to);
        const lostMs = lost.reduce(
          (sum, { from, to }) => sum + Math.max(0, Math.min(to, now) - from),
          0,
        );
        if (!isLost && now - monday - lostMs >= 2.5 * minute)
          return assert.ok(staleAt(monday, now, lost, plan) <= now);
      }
      return assert.fail("it is not seen");
    }),
    {
      numRuns: 100,
      // Many short periods between interruptions, each starting just after a second.
      examples: [
        [
          [
            { from: monday + 1, to: monday + 53_570 },
            { from: monday + 98_001, to: monday + 99_008 },
            { from: monday + 100_008, to: monday + 253_567 },
            { from: monday + 254_567, to: monday + 467_332 },
            { from: monday + 468_332, to: monday + 557_802 },
            { from: monday + 607_001, to: monday + 671_632 },
          ],
        ],
      ],
    },
  );
});

test("what is expected by a cron is never expected sooner for an interruption, and where it was interrupted each time one time later", () => {
  const plan = {
    expectedAfter: (at: number) => nextStart("0 3 * * *", at, "Europe/Berlin"),
    toleratedMs: hour,
    sentAgainMs: 30 * second,
  };
  const seen = monday + 2 * hour;
  const first = staleAt(seen, seen, [], plan);
  assert.equal(first, seen + day + hour);
  // Each night for a backup, over the time at which the job reports.
  const nights = Array.from({ length: 9 }, (_, night) => ({
    from: seen + night * day - 10 * minute,
    to: seen + night * day + 10 * minute,
  }));
  const stale = staleAt(seen, seen + 9 * day, nights.slice(0, 4), plan);
  assert.ok(stale > seen + 2 * day + hour && stale < seen + 2 * day + 3 * hour);
  for (const night of nights) assert.ok(staleAt(seen, night.to, nights, plan) >= first);
});

test("after an interruption that may hide several, what comes after it is waited for", () => {
  const long = [{ from: monday + 0.5 * day, to: monday + 5 * day }];
  const plan = { expectedAfter: (at: number) => at + day, toleratedMs: 0, sentAgainMs: 0 };
  assert.equal(staleAt(monday, monday + 5 * day, long, plan), monday + 6 * day);
});

test("where nobody knows when the last one came, the last interruption counts, however brief", () => {
  const reception = { seen: -Infinity, receptiveSince: monday, lostMs: Infinity };
  const plan = { expectedAfter: (at: number) => at + day, toleratedMs: 0, sentAgainMs: 0 };
  assert.equal(expectedHeartbeat(reception, plan)?.staleAt, monday + day);
});

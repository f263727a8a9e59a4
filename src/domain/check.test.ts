import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { latestTick, subscriptionsOf } from "./check.ts";

const MINUTE_MS = 60_000;

const forms: readonly {
  name: string;
  stored: readonly Readonly<Record<string, unknown>>[];
  read: ReturnType<typeof subscriptionsOf>;
}[] = [
  {
    name: "an id with a schedule",
    stored: [{ A: "Days" }],
    read: [{ recipientId: "A", schedule: "Days", delayMinutes: 0 }],
  },
  {
    name: "an id with a schedule and a delay",
    stored: [{ A: { schedule: "Days", delay: 5 } }],
    read: [{ recipientId: "A", schedule: "Days", delayMinutes: 5 }],
  },
  {
    name: "a delay as text",
    stored: [{ A: { schedule: "All", delay: "10" } }],
    read: [{ recipientId: "A", schedule: "All", delayMinutes: 10 }],
  },
  {
    name: "neither schedule nor delay",
    stored: [{ A: {} }],
    read: [{ recipientId: "A", schedule: "All", delayMinutes: 0 }],
  },
  {
    name: "several ids in one element",
    stored: [{ A: "All", B: { delay: 1 } }],
    read: [
      { recipientId: "A", schedule: "All", delayMinutes: 0 },
      { recipientId: "B", schedule: "All", delayMinutes: 1 },
    ],
  },
];

for (const { name, stored, read } of forms) {
  test(`a notification is read from ${name}`, () => {
    assert.deepEqual(subscriptionsOf(stored), read);
  });
}

test("ticks are an interval apart, at the phase, and the latest one is never ahead", () => {
  fc.assert(
    fc.property(
      fc.nat(2 ** 32 - 1),
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 0, max: 4e12 }),
      (phase, interval, at) => {
        const tick = latestTick(phase, interval, at);
        assert.ok(tick <= at && at < tick + interval * MINUTE_MS);
        assert.equal(
          (((tick - phase) % (interval * MINUTE_MS)) + interval * MINUTE_MS) %
            (interval * MINUTE_MS),
          0,
        );
        assert.equal(latestTick(phase, interval, tick), tick);
      },
    ),
  );
});

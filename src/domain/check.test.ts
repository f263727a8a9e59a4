import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { aCheck } from "../../test/record-builders.ts";
import {
  fieldKinds,
  isSwitchedOn,
  latestTick,
  mapFlags,
  runsDifferently,
  subscriptionsOf,
  type Check,
} from "./check.ts";

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

/** For each field values that are all different. */
const differentValues: { readonly [Field in keyof typeof fieldKinds]: readonly Check[Field][] } = {
  id: ["ONE", "OTHER"],
  accountId: ["ALICE", "BOB"],
  type: ["PORT", "HTTP"],
  label: ["one", "other", ""],
  intervalMinutes: [1, 5, 0.5],
  timeoutSeconds: [5, 7],
  rechecks: [undefined, 0, 3],
  recheckWait: [undefined, 0, 5],
  enabled: [true, false],
  disabledWithAll: [false, true],
  inMaintenance: [false, true],
  ...mapFlags(() => [false, true]),
  regions: [undefined, [], ["eur"], ["nam", "eur"]],
  parameters: [{ target: "a.example" }, { target: "b.example" }, { target: "a.example", port: 1 }],
  notifications: [[], [{ A: "All" }], [{ A: "None" }]],
  dependsOn: [undefined, "OTHER"],
  mute: [false, true, 4e12],
  quietFirst: [false, true],
  tags: [[], ["new"]],
  description: ["", "new"],
  home: [undefined, "fra", "roam"],
  revision: [1, 2],
  revisionHash: ["00", "01"],
  runRevision: [1, 2],
  runChangedAt: [1, 2],
  uuid: ["one", "other"],
  queue: ["ONE", "OTHER"],
  createdAt: [1, 2],
  modifiedAt: [1, 2],
};
const checks: fc.Arbitrary<Omit<Check, "no">> = fc
  .record(
    Object.fromEntries(
      Object.entries(differentValues).map(([field, values]) => [
        field,
        fc.constantFrom<unknown>(...values),
      ]),
    ),
  )
  .map((fields) => aCheck("CHECK", fields));

test("a change restarts a check exactly where a field that runs differs, or what switches it", () => {
  const declared = new Map<string, string>(Object.entries(fieldKinds));
  fc.assert(
    fc.property(
      checks,
      checks,
      fc.subarray(Object.keys(fieldKinds), { maxLength: 4 }),
      (check, source, changedFields) => {
        const changes = Object.entries(source).filter(([field]) => changedFields.includes(field));
        const changed = { ...check, ...Object.fromEntries(changes) };
        const before = new Map<string, unknown>(Object.entries(check));
        const runs = changes.some(
          ([field, value]) => declared.get(field) === "run" && value !== before.get(field),
        );
        const isSwitched = isSwitchedOn(check) !== isSwitchedOn(changed);
        assert.equal(runsDifferently(check, changed), runs || isSwitched);
      },
    ),
    { numRuns: 2000 },
  );
});

test("to write down the default of a setting changes nothing that runs", () => {
  assert.equal(runsDifferently(aCheck("CHECK"), aCheck("CHECK", { rechecks: 2 })), false);
});

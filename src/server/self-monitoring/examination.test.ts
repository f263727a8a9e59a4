import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import type { AlertBacklog } from "../../store/tables/alerts.ts";
import type { BackupStatus } from "../backup/schedule/backup-schedule.ts";
import { createExamination, type ExaminedParts } from "./examination.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const clock = fakeClock();

const well: ExaminedParts = {
  store: partsOfStore(),
  bus: {
    isConnected: () => true,
    presence: { live: () => [{ code: "ny", region: "nam" }], troubles: () => [], gone: () => [] },
  },
  uncontrolledShards: () => [],
  isController: true,
  locations: () => [{ location: "ny", isOnline: true, resolverAnswers: true }],
  interruptions: { lostSince: () => 0 },
  recentCounts: { sumsBy: () => new Map() },
  mailServer: { failure: () => undefined },
  deadMansSwitch: { failure: () => undefined, clockAheadMs: () => 0 },
  recentClockStepMs: () => 0,
  lastBackupAt: () => clock.now() - DAY_MS,
  areBackupsScheduled: false,
  backups: () => undefined,
  clock,
};

function partsOfStore(changes: Partial<ExaminedParts["store"]> = {}): ExaminedParts["store"] {
  const store: Pick<ExaminedParts["store"], "readError" | "writeError" | "shortage"> = {
    readError: () => undefined,
    writeError: () => undefined,
    shortage: () => undefined,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of the alerts is read
  const alerts = { listBacklog: async () => [] } as unknown as ExaminedParts["store"]["alerts"];
  return { ...store, alerts, ...changes };
}

function storeWith(...backlog: readonly AlertBacklog[]): ExaminedParts["store"] {
  const { alerts } = partsOfStore();
  return partsOfStore({ alerts: { ...alerts, listBacklog: async () => backlog } });
}

const overdue: AlertBacklog = {
  destination: "email",
  alerts: 3,
  oldestMs: 70_000,
  isAttempted: true,
};

function scheduled(changes: Partial<BackupStatus>): Partial<ExaminedParts> {
  const last = { at: clock.now() - DAY_MS, bytes: 1000 };
  const status = { last, dueAt: clock.now() + HOUR_MS, failures: 0, failure: undefined };
  return { areBackupsScheduled: true, backups: () => ({ ...status, ...changes }) };
}

async function found(changes: Partial<ExaminedParts> = {}): Promise<readonly string[]> {
  const problems = await createExamination({ ...well, ...changes })();
  return problems.map(({ name, subject, found }) => `${name} ${subject}: ${found}`);
}

test("a service that is well has no problem", async () => {
  assert.deepEqual(await found(), []);
});

const cases: readonly (readonly [string, Partial<ExaminedParts>, readonly string[]])[] = [
  [
    "a database that cannot be written",
    { store: partsOfStore({ writeError: () => "the disk is read-only" }) },
    ["database : the disk is read-only"],
  ],
  [
    "a disk that is full",
    { store: partsOfStore({ shortage: () => "the disk is full" }) },
    ["disk : the disk is full"],
  ],
  [
    "a NATS server that is away, which explains that locations are gone",
    {
      bus: {
        isConnected: () => false,
        presence: { live: () => [], troubles: () => [], gone: () => [] },
      },
    },
    ["nats : there is no connection to the NATS server: locations cannot be asked"],
  ],
  [
    "a location that is cut off for what it sends",
    { bus: { ...well.bus, presence: { ...well.bus.presence, troubles: () => ["ny is cut off"] } } },
    ["locations_cut_off : ny is cut off"],
  ],
  [
    "no controller",
    { uncontrolledShards: () => Array.from({ length: 256 }, (_, shard) => shard) },
    ["checks_uncontrolled : no check runs, because no controller is live for them"],
  ],
  [
    "a controller that is gone, and has no successor yet",
    { uncontrolledShards: () => [7] },
    [
      "checks_uncontrolled : about 1% of the checks do not run, because no controller is live for them",
    ],
  ],
  [
    "no location",
    {
      bus: {
        isConnected: undefined,
        presence: { live: () => [], troubles: () => [], gone: () => [] },
      },
    },
    ["no_location : no location is live, so no check can be run"],
  ],
  [
    "a location that is gone",
    {
      bus: {
        ...well.bus,
        presence: {
          ...well.bus.presence,
          gone: () => [{ code: "ld", region: "eur", seenMsAgo: 5 * 3_600_000 }],
        },
      },
    },
    ["location ld: it was last seen 5 h ago, and runs no checks"],
  ],
  [
    "a location without a network, and one without a resolver",
    {
      locations: () => [
        { location: "ny", isOnline: false, resolverAnswers: undefined },
        { location: "ld", isOnline: true, resolverAnswers: false },
      ],
    },
    [
      "offline ny: it reaches none of its targets",
      "resolver ld: it does not answer, so no name can be looked up",
    ],
  ],
  [
    "runs without an outcome, from three on",
    {
      recentCounts: {
        sumsBy: (event) =>
          new Map(
            event === "confirm.run_undecided"
              ? [
                  ["ny", 3],
                  ["ld", 2],
                ]
              : [],
          ),
      },
    },
    ["runs_undecided ny: 3 runs in two minutes had no outcome, for a reason of the service"],
  ],
  [
    "runs that were missed",
    {
      recentCounts: {
        sumsBy: (event) => new Map(event === "scheduler.tick_missed" ? [["overloaded", 12]] : []),
      },
    },
    ["runs_missed : 12 runs were missed in two minutes (overloaded)"],
  ],
  [
    "runs that were missed because earlier ones were waiting for their targets, which is no problem",
    {
      recentCounts: {
        sumsBy: (event) =>
          new Map(event === "scheduler.tick_missed" ? [["still_running", 99]] : []),
      },
    },
    [],
  ],
  [
    "a process that stands still again and again",
    { interruptions: { lostSince: () => 25_000 } },
    ["stalled : it could not receive or act for 25 s of the last two minutes"],
  ],
  [
    "a mail server that refuses",
    { mailServer: { failure: () => "535 authentication failed" } },
    ["mail_server : 535 authentication failed"],
  ],
  [
    "mails that are overdue",
    { store: storeWith(overdue) },
    ["alerts_delayed email: 3 alerts are overdue, the oldest by 70 s"],
  ],
  [
    "a receiver that is away for some minutes, which is of less weight",
    {
      store: storeWith(
        { ...overdue, destination: "webhook 1234", oldestMs: 301_000 },
        { ...overdue, destination: "slack 5678", oldestMs: 299_000 },
      ),
    },
    ["receivers webhook: 3 alerts are overdue, the oldest by 5 min"],
  ],
  [
    "alerts that nobody tries to send",
    { store: storeWith({ ...overdue, alerts: 1, oldestMs: 95_000, isAttempted: false }) },
    ["alerts_unclaimed : 1 alert is overdue, the oldest by 95 s"],
  ],
  [
    "a clock that the outside contradicts",
    { deadMansSwitch: { failure: () => undefined, clockAheadMs: () => -30_000 } },
    ["clock : it is 30 s behind that of the dead man's switch"],
  ],
  [
    "a clock that was set",
    { recentClockStepMs: () => 3_600_000 },
    ["clock : it was set forward by 60 min"],
  ],
  [
    "too few partitions",
    { store: partsOfStore({ partitionsAhead: () => 2 }) },
    ["partitions : PostgreSQL has partitions for 2 days to come, not for 7"],
  ],
  [
    "a database that is too far away",
    { store: partsOfStore({ roundTripMs: () => 310.2 }) },
    [
      "database_distance : a round trip to the database takes 310 ms, and more than 150 ms delay results and alerts",
    ],
  ],
  ["a database in another city", { store: partsOfStore({ roundTripMs: () => 100 }) }, []],
  [
    "an old backup",
    { lastBackupAt: () => clock.now() - 9 * DAY_MS },
    ["backup : the last backup is 9 days old"],
  ],
  [
    "a scheduled backup that failed twice",
    scheduled({ failures: 2, failure: "the place is away" }),
    [
      "backup : the last 2 attempts to store one failed (the last one is of 2026-01-04T12:00:00.000Z): the place is away",
    ],
  ],
  [
    "a first backup that cannot be stored",
    scheduled({ failures: 3, failure: "the place is away", last: undefined, dueAt: undefined }),
    ["backup : the last 3 attempts to store one failed (there is none yet): the place is away"],
  ],
  [
    "a scheduled backup that is late",
    scheduled({ dueAt: clock.now() - 3 * HOUR_MS }),
    [
      "backup : the one that was due 180 min ago is not stored yet (the last one is of 2026-01-04T12:00:00.000Z)",
    ],
  ],
  [
    "one failure, and a backup that is still being made, to be no problem",
    scheduled({ failures: 1, failure: "the place is away", dueAt: clock.now() - HOUR_MS }),
    [],
  ],
  [
    "a backup of a month ago that is the latest of a monthly schedule to be no problem",
    { ...scheduled({}), lastBackupAt: () => clock.now() - 30 * DAY_MS },
    [],
  ],
  [
    "scheduled backups to be the matter of the process that makes them",
    { ...scheduled({}), backups: () => undefined },
    [],
  ],
  [
    "a dead man's switch that cannot be reached",
    {
      deadMansSwitch: { failure: () => "it answered with status 500", clockAheadMs: () => 0 },
    },
    ["dead_mans_switch : it answered with status 500"],
  ],
];

for (const [what, changes, expected] of cases)
  test(`it finds ${what}`, async () => {
    assert.deepEqual(await found(changes), expected);
  });

test("a database that cannot be read is one problem, and hides no other", async () => {
  const { alerts } = partsOfStore();
  const listBacklog = () => Promise.reject(new Error("no connection"));
  const store = partsOfStore({
    alerts: { ...alerts, listBacklog },
    readError: () => "no connection",
  });
  assert.deepEqual(await found({ store, mailServer: { failure: () => "timeout" } }), [
    "database : no connection",
    "mail_server : timeout",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock, type FakeClock } from "../../../../test/time/fake-clock.ts";
import { Unavailable } from "../../../kit/errors.ts";
import { noMeter } from "../../../kit/meter.ts";
import { createBackupSchedule, type BackupStatus } from "./backup-schedule.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The clock of these tests begins at noon. */
const NOON = Date.UTC(2026, 0, 5, 12);

interface Place {
  readonly stored: number[];
  /** Thrown by the next calls, one each. */
  readonly faults: Error[];
  listFault: Error | undefined;
  /** How long a backup takes, unless it is ended before. */
  tookMs: number;
  readonly ended: string[];
}

interface Site extends Disposable {
  readonly clock: FakeClock;
  readonly place: Place;
  readonly logged: object[];
  readonly status: () => BackupStatus | undefined;
  isResponsible: boolean;
}

function placeWith(...stored: readonly number[]): Place {
  return { stored: [...stored], faults: [], listFault: undefined, tookMs: 0, ended: [] };
}

function begin(place: Place, { clock = fakeClock(), timeZone = "UTC" } = {}): Site {
  const stop = new AbortController();
  const logged: object[] = [];
  const site = { isResponsible: true };
  const schedule = createBackupSchedule({
    cron: "0 3 * * *",
    timeZone,
    isResponsible: () => site.isResponsible,
    async list() {
      if (place.listFault !== undefined) throw place.listFault;
      return place.stored.map((at) => ({ at, bytes: 1000 }));
    },
    backUp: (signal) =>
      new Promise((resolve, reject) => {
        const at = clock.now();
        signal.addEventListener("abort", () => {
          place.ended.push("aborted");
          reject(new Unavailable("interrupted"));
        });
        clock.setTimer(() => {
          const fault = place.faults.shift();
          if (fault !== undefined) {
            reject(fault);
            return;
          }
          place.stored.push(at);
          const taken_at = new Date(at).toISOString();
          resolve({
            name: "one",
            bytes: 1000,
            taken_at,
            seconds: place.tookMs / 1000,
            deleted: [],
          });
        }, place.tookMs);
      }),
    clock,
    log: {
      info: (event, fields) => void logged.push({ event, ...fields }),
      error: (event, fields) => void logged.push({ event, ...fields }),
    },
    meter: noMeter,
  });
  void schedule.run(stop.signal);
  return Object.assign(site, {
    clock,
    place,
    logged,
    status: schedule.status,
    [Symbol.dispose]: () => stop.abort(),
  });
}

function hoursOf({ place }: Site): readonly string[] {
  return place.stored.map((at) => new Date(at).toISOString().slice(0, "2026-01-05T12".length));
}

test("a backup is stored at each time of the schedule, in its time zone", async () => {
  using one = begin(placeWith(NOON - 9 * HOUR_MS));
  await one.clock.advance(3 * DAY_MS);
  assert.deepEqual(hoursOf(one).slice(1), ["2026-01-06T03", "2026-01-07T03", "2026-01-08T03"]);
  assert.equal(one.status()?.dueAt, Date.UTC(2026, 0, 9, 3));
  assert.equal(one.status()?.last?.bytes, 1000);
  using tokyo = begin(placeWith(NOON - HOUR_MS), { timeZone: "Asia/Tokyo" });
  await tokyo.clock.advance(DAY_MS);
  assert.deepEqual(hoursOf(tokyo).slice(1), ["2026-01-05T18"]);
});

test("one that was missed, and the first one of all, is made up for half a minute after the start, once", async () => {
  for (const stored of [[], [NOON - 3 * DAY_MS]]) {
    using one = begin(placeWith(...stored));
    await one.clock.advance(MINUTE_MS / 2 - 1000);
    assert.equal(one.place.stored.length, stored.length);
    await one.clock.advance(14 * HOUR_MS);
    assert.deepEqual(hoursOf(one).slice(stored.length), ["2026-01-05T12"]);
  }
});

test("a failure is tried again after longer and longer pauses, and forgotten with the first success", async () => {
  using one = begin(placeWith(NOON - 9 * HOUR_MS));
  one.place.faults.push(...["first", "second", "third"].map((said) => new Unavailable(said)));
  await one.clock.advance(15 * HOUR_MS + 30_000);
  assert.equal(one.status()?.failures, 1);
  await one.clock.advance(2 * MINUTE_MS);
  assert.deepEqual(
    { failures: one.status()?.failures, failure: one.status()?.failure },
    { failures: 2, failure: "second" },
  );
  assert.equal(one.status()?.dueAt, Date.UTC(2026, 0, 6, 3));
  await one.clock.advance(HOUR_MS);
  assert.deepEqual(hoursOf(one).slice(1), ["2026-01-06T03"]);
  assert.equal(one.status()?.failures, 0);
  assert.deepEqual(
    one.logged.map((line) => ("event" in line ? line.event : "")),
    ["app.backup_failed", "app.backup_failed", "app.backup_failed", "app.backup_stored"],
  );
});

test("a place that cannot be listed is a failure too, and nothing is stored until it can", async () => {
  using one = begin(placeWith());
  one.place.listFault = new Unavailable("the place is away");
  await one.clock.advance(10 * MINUTE_MS);
  assert.ok((one.status()?.failures ?? 0) >= 2);
  assert.equal(one.status()?.failure, "the place is away");
  assert.deepEqual(one.place.stored, []);
  one.place.listFault = undefined;
  await one.clock.advance(HOUR_MS);
  assert.equal(one.place.stored.length, 1);
  assert.equal(one.status()?.failures, 0);
});

test("one process of several makes the backups, and another that takes over makes none that is there", async () => {
  const clock = fakeClock();
  const place = placeWith(NOON - 9 * HOUR_MS);
  using first = begin(place, { clock });
  using second = begin(place, { clock });
  second.isResponsible = false;
  await clock.advance(16 * HOUR_MS);
  assert.equal(place.stored.length, 2);
  assert.equal(second.status(), undefined);
  first.isResponsible = false;
  second.isResponsible = true;
  await clock.advance(HOUR_MS);
  assert.equal(place.stored.length, 2);
  assert.equal(first.status(), undefined);
  await clock.advance(DAY_MS);
  assert.equal(place.stored.length, 3);
});

test("a clock that was set forward and back stops no later backup", async () => {
  using one = begin(placeWith(NOON - 9 * HOUR_MS));
  await one.clock.advance(HOUR_MS);
  one.clock.step(400 * DAY_MS);
  await one.clock.advance(HOUR_MS);
  assert.equal(one.place.stored.length, 2);
  one.clock.step(-400 * DAY_MS);
  await one.clock.advance(DAY_MS);
  assert.deepEqual(hoursOf(one).slice(2), ["2026-01-06T03"]);
  using restarted = begin(placeWith(NOON - 9 * HOUR_MS, NOON + 400 * DAY_MS));
  await restarted.clock.advance(DAY_MS);
  assert.deepEqual(hoursOf(restarted).slice(2), ["2026-01-06T03"]);
});

test("a backup that does not end is ended after twelve hours, and is late before", async () => {
  using one = begin(placeWith(NOON - 9 * HOUR_MS));
  one.place.tookMs = DAY_MS;
  await one.clock.advance(20 * HOUR_MS);
  assert.equal(one.status()?.dueAt, Date.UTC(2026, 0, 6, 3));
  await one.clock.advance(8 * HOUR_MS);
  assert.deepEqual(one.place.ended, ["aborted"]);
  assert.equal(one.status()?.failure, "it took longer than 12 hours");
});

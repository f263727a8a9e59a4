import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { aMaintenance, minute, noon } from "../../test/record-builders.ts";
import { minutesOf, shownTimeOf, testedZones } from "../../test/time/time-zones.ts";
import { isCron, nextStart } from "./heartbeat/cron.ts";
import {
  withStart,
  withSettings,
  dueStep,
  withAddedChecks,
  maxMaintenanceMinutes,
  withMissedStart,
  cronError,
  nextStartOf,
  plannedStarts,
  type Maintenance,
  type MaintenanceSettings,
} from "./maintenance.ts";

const hour = 60 * minute;
const day = 24 * hour;

const starts: readonly {
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly after: string;
  readonly next: string | undefined;
}[] = [
  {
    name: "in the account's own time, behind GMT",
    cron: "30 2 * * *",
    timeZone: "-07:00",
    after: "2026-01-05T12:00:00Z",
    next: "2026-01-06T09:30:00.000Z",
  },
  {
    name: "in the account's own time, ahead of GMT by a fraction",
    cron: "30 2 * * *",
    timeZone: "+05:45",
    after: "2026-01-05T12:00:00Z",
    next: "2026-01-05T20:45:00.000Z",
  },
  {
    name: "on the other side of the date line",
    cron: "0 0 * * 1",
    timeZone: "+14:00",
    after: "2026-01-05T12:00:00Z",
    next: "2026-01-11T10:00:00.000Z",
  },
  {
    name: "not at the very start that was",
    cron: "0 12 * * *",
    timeZone: "+00:00",
    after: "2026-01-05T12:00:00Z",
    next: "2026-01-06T12:00:00.000Z",
  },
  {
    name: "at a start that is less than a second away",
    cron: "0 12 * * *",
    timeZone: "+00:00",
    after: "2026-01-05T11:59:59.500Z",
    next: "2026-01-05T12:00:00.000Z",
  },
  {
    name: "on a day or a weekday where both are named",
    cron: "0 0 13 * fri",
    timeZone: "+00:00",
    after: "2026-01-09T00:00:00Z",
    next: "2026-01-13T00:00:00.000Z",
  },
  {
    name: "at its time in winter",
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    after: "2026-01-05T12:00:00Z",
    next: "2026-01-06T01:30:00.000Z",
  },
  {
    name: "at its time in summer",
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    after: "2026-07-05T12:00:00Z",
    next: "2026-07-06T00:30:00.000Z",
  },
  {
    name: "at the change that skips its time",
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    after: "2026-03-28T12:00:00Z",
    next: "2026-03-29T01:00:00.000Z",
  },
  {
    name: "on the next day after the change that skipped its time",
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    after: "2026-03-29T01:00:00Z",
    next: "2026-03-30T00:30:00.000Z",
  },
  {
    name: "at the change that skips half an hour with its time",
    cron: "15 1,2 * * *",
    timeZone: "Australia/Lord_Howe",
    after: "2026-10-03T14:45:00Z",
    next: "2026-10-03T15:30:00.000Z",
  },
  {
    name: "at the change that skips its time on the day before",
    cron: "20 23 * * *",
    timeZone: "America/Nuuk",
    after: "2026-03-28T22:43:00Z",
    next: "2026-03-29T01:00:00.000Z",
  },
  {
    name: "at the first of the times that a change repeats",
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    after: "2026-10-24T12:00:00Z",
    next: "2026-10-25T00:30:00.000Z",
  },
  {
    name: "not at the second of the times that a change repeats",
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    after: "2026-10-25T00:30:00Z",
    next: "2026-10-26T01:30:00.000Z",
  },
  {
    name: "not at the second, asked between both",
    cron: "30 1,2 * * *",
    timeZone: "Europe/Berlin",
    after: "2026-10-25T01:10:00Z",
    next: "2026-10-26T00:30:00.000Z",
  },
  {
    name: "in the repeated hour too, where it is in every hour",
    cron: "30 * * * *",
    timeZone: "Europe/Berlin",
    after: "2026-10-25T00:30:00Z",
    next: "2026-10-25T01:30:00.000Z",
  },
  {
    name: "in the first hour after the change, where it is in every hour",
    cron: "0 * * * *",
    timeZone: "Europe/Berlin",
    after: "2026-03-29T00:00:00Z",
    next: "2026-03-29T01:00:00.000Z",
  },
  {
    name: "in the next leap year",
    cron: "0 0 29 2 *",
    timeZone: "+00:00",
    after: "2026-01-05T12:00:00Z",
    next: "2028-02-29T00:00:00.000Z",
  },
  {
    name: "never on a day that no month has",
    cron: "0 0 30 2 *",
    timeZone: "+00:00",
    after: "2026-01-05T12:00:00Z",
    next: undefined,
  },
];

for (const { name, cron, timeZone, after, next } of starts) {
  test(`the next start is ${name}`, () => {
    const found = nextStart(cron, Date.parse(after), timeZone);
    assert.equal(found && new Date(found).toISOString(), next);
  });
}

const crons: readonly (readonly [text: string, isCron: boolean])[] = [
  ["30 2 * * 0", true],
  ["*/5 0-6,22 * jan-jun mon", true],
  ["0\t2 * * 7", true],
  ["0 2 * *", false],
  ["0 0 2 * * *", false],
  ["60 2 * * *", false],
  ["0 2 * * 8", false],
  ["*/0 * * * *", false],
  ["@daily", false],
  ["2026-01-05T12:00:00Z", false],
  ["0 2 * * someday", false],
  ["", false],
];

for (const [text, expected] of crons)
  test(`${JSON.stringify(text)} is ${expected ? "a" : "no"} cron`, () =>
    assert.equal(isCron(text), expected));

const objections: readonly {
  readonly cron: string;
  readonly durationMinutes: number;
  readonly objection: string | undefined;
}[] = [
  { cron: "0 2 * * *", durationMinutes: 24 * 60 - 1, objection: undefined },
  { cron: "0 2 * * *", durationMinutes: 24 * 60, objection: "begins again before it has ended" },
  { cron: "* * * * *", durationMinutes: 1, objection: "begins again before it has ended" },
  { cron: "*/2 * * * *", durationMinutes: 1, objection: undefined },
  { cron: "0 2,4 * * 0", durationMinutes: 119, objection: undefined },
  { cron: "0 2,4 * * 0", durationMinutes: 120, objection: "begins again before it has ended" },
  { cron: "0 0 1 * 1", durationMinutes: 1439, objection: undefined },
  { cron: "0 0 1 * 1", durationMinutes: 1440, objection: "begins again before it has ended" },
  { cron: "0 0 1 1 *", durationMinutes: maxMaintenanceMinutes, objection: undefined },
  { cron: "0 0 31 4 *", durationMinutes: 1, objection: "names no day that ever comes" },
];

for (const { cron, durationMinutes, objection } of objections) {
  test(`${cron} for ${durationMinutes} minutes: ${objection ?? "can be followed"}`, () =>
    assert.equal(cronError(cron, { durationMinutes, now: noon }), objection));
}

const daily = aMaintenance("daily", { checkIds: ["a", "b"] });
const start = noon + hour;
const when = (now: number) => ({ now, timeZone: "+00:00" });

const dues: readonly {
  readonly name: string;
  readonly of: Partial<Maintenance>;
  readonly now: number;
  readonly due: ReturnType<typeof dueStep>;
}[] = [
  { name: "nothing before it begins", of: {}, now: start - 1, due: undefined },
  { name: "its start in that instant", of: {}, now: start, due: { kind: "begin", at: start } },
  {
    name: "its start a moment before its end",
    of: {},
    now: start + 30 * minute - 1,
    due: { kind: "begin", at: start },
  },
  {
    name: "a missed start at its end",
    of: {},
    now: start + 30 * minute,
    due: { kind: "miss", at: start },
  },
  {
    name: "nothing where no start is scheduled",
    of: { nextAt: undefined },
    now: start,
    due: undefined,
  },
  { name: "nothing while it is under way", of: { endsAt: start + 1 }, now: start, due: undefined },
  { name: "its end in that instant", of: { endsAt: start }, now: start, due: { kind: "end" } },
];

for (const { name, of, now, due } of dues)
  test(`what is due is ${name}`, () => assert.deepEqual(dueStep({ ...daily, ...of }, now), due));

test("one that began late ends when it would have, and lists what it paused and what not", () => {
  const late = withStart(daily, start, { held: ["b"], timeZone: "+00:00" });
  assert.deepEqual(late, {
    ...daily,
    endsAt: start + 30 * minute,
    nextAt: start + day,
    history: [{ at: start, held: ["b"], skipped: ["a"] }],
  });
});

test("one without a cron is scheduled for now, and never again", () => {
  const once = { ...daily, cron: undefined };
  assert.equal(nextStartOf(once, when(noon)), noon);
  assert.equal(nextStartOf({ ...once, enabled: false }, when(noon)), undefined);
  assert.equal(
    withStart({ ...once, nextAt: noon }, noon, { held: [], timeZone: "+00:00" }).nextAt,
    undefined,
  );
});

test("one that is planned is scheduled for its start, or for now once that is over", () => {
  const planned = { ...daily, cron: undefined, startsAt: noon + hour };
  assert.equal(nextStartOf(planned, when(noon)), noon + hour);
  assert.equal(nextStartOf(planned, when(noon + day)), noon + day);
  assert.equal(nextStartOf({ ...planned, enabled: false }, when(noon)), undefined);
});

test("one that is planned and was missed is disabled: it does not begin later", () => {
  const planned = { ...daily, cron: undefined, startsAt: start };
  const missed = withMissedStart(planned, start, when(start + day));
  assert.deepEqual([missed.enabled, missed.nextAt], [false, undefined]);
});

test("the planned starts are those of the cron until an instant, or the only one", () => {
  const ahead = { until: start + 3 * day, timeZone: "+00:00" };
  assert.deepEqual([...plannedStarts(daily, ahead)], [start, start + day, start + 2 * day]);
  assert.deepEqual([...plannedStarts({ ...daily, cron: undefined }, ahead)], [start]);
  assert.deepEqual([...plannedStarts({ ...daily, nextAt: undefined }, ahead)], []);
});

test("after a missed start the next one is that whose end is still to come", () => {
  const hourly = { ...daily, cron: "0 * * * *" };
  const since = withMissedStart(hourly, start, when(start + 2 * day + 10 * minute));
  assert.equal(since.nextAt, start + 2 * day);
  assert.deepEqual(since.history, [{ at: start, held: [], skipped: ["a", "b"] }]);
  assert.equal(
    withMissedStart(hourly, start, when(start + 2 * day + 40 * minute)).nextAt,
    start + 2 * day + hour,
  );
});

const inFlight: Maintenance = {
  ...daily,
  endsAt: start + 30 * minute,
  nextAt: start + day,
  history: [{ at: start, held: ["a"], skipped: ["b"] }],
};

const changes: readonly {
  readonly name: string;
  readonly known: Maintenance;
  readonly settings: Partial<MaintenanceSettings>;
  readonly becomes: Partial<Maintenance>;
}[] = [
  { name: "a name changes nothing else", known: daily, settings: { name: "new" }, becomes: {} },
  {
    name: "a start that is due but not begun is kept",
    known: { ...daily, nextAt: start - minute },
    settings: { durationMinutes: 40 },
    becomes: { nextAt: start - minute },
  },
  {
    name: "another cron counts from now",
    known: daily,
    settings: { cron: "15 13 * * *" },
    becomes: { nextAt: start + 15 * minute },
  },
  {
    name: "a disabled one is not scheduled",
    known: daily,
    settings: { enabled: false },
    becomes: { nextAt: undefined },
  },
  {
    name: "one that is enabled again is",
    known: { ...daily, enabled: false, nextAt: undefined },
    settings: { enabled: true },
    becomes: { nextAt: start + day },
  },
  {
    name: "one under way that lasts longer ends later",
    known: inFlight,
    settings: { durationMinutes: 50 },
    becomes: { endsAt: start + 50 * minute },
  },
  {
    name: "one under way that lasts shorter ends earlier",
    known: inFlight,
    settings: { durationMinutes: 1 },
    becomes: { endsAt: start + minute },
  },
  {
    name: "a planned start that is moved is the next",
    known: { ...daily, cron: undefined, startsAt: start },
    settings: { startsAt: start + hour },
    becomes: { nextAt: start + hour },
  },
  {
    name: "one under way that is disabled is no longer under way",
    known: inFlight,
    settings: { enabled: false },
    becomes: { endsAt: undefined, nextAt: undefined },
  },
  {
    name: "one under way with another cron goes on, and begins after its end by that",
    known: inFlight,
    settings: { cron: "*/20 * * * *" },
    becomes: { nextAt: start + 40 * minute },
  },
];

for (const { name, known, settings, becomes } of changes) {
  test(name, () => {
    const { name: called, durationMinutes, checkIds, enabled, cron, startsAt } = known;
    const whole = { name: called, durationMinutes, checkIds, enabled, cron, startsAt, ...settings };
    assert.deepEqual(withSettings(known, whole, when(start)), { ...known, ...whole, ...becomes });
  });
}

test("checks that are added to one under way are listed with those it began with", () => {
  const [now] = withAddedChecks(inFlight, ["c", "d"], ["d"]).history;
  assert.deepEqual(now, { at: start, held: ["a", "d"], skipped: ["b", "c"] });
});

const numbers = (min: number, max: number) => fc.integer({ min, max }).map(String);
const parts = (min: number, max: number) =>
  fc.oneof(
    fc.constant("*"),
    numbers(min, max),
    fc.uniqueArray(numbers(min, max), { minLength: 1, maxLength: 3 }).map((list) => list.join()),
    fc.integer({ min: 1, max: max - min }).map((step) => `*/${step}`),
  );
const anyCron = fc
  .tuple(parts(0, 59), parts(0, 23), parts(1, 28), parts(1, 12), parts(0, 6))
  .map((fields) => fields.join(" "));
const offsets = fc.constantFrom("-12:00", "-09:30", "+00:00", "+05:45", "+14:00");

test("a start is one whose local minute, hour and month the cron names", () => {
  fc.assert(
    fc.property(anyCron, offsets, fc.integer({ min: 0, max: 4e12 }), (cron, timeZone, after) => {
      assert.ok(isCron(cron), cron);
      const next = nextStart(cron, after, timeZone);
      assert.ok(next !== undefined && next > after);
      const local = new Date(shownTimeOf(timeZone)(next));
      const [minutes = "", hours = "", , months = ""] = cron.split(" ");
      assert.ok(names(minutes, local.getUTCMinutes(), 0), `${cron} ${local.toISOString()}`);
      assert.ok(names(hours, local.getUTCHours(), 0), `${cron} ${local.toISOString()}`);
      assert.ok(names(months, local.getUTCMonth() + 1, 1), `${cron} ${local.toISOString()}`);
      assert.ok(local.getTime() % minute === 0);
    }),
  );
});

/** The first minute after `from` at which clocks show that time of the day for the first time, or have just skipped it. */
function walkToStart(timeOfDay: number, from: number, shown: (at: number) => number): number {
  let latest = shown(from - 3 * hour);
  for (let at = from - 3 * hour; ; at += minute) {
    const now = shown(at);
    // This minute and those that a change skips, if they were not shown before.
    for (let each = latest + minute; each <= now; each += minute)
      if (at > from && each % day === timeOfDay) return at;
    latest = Math.max(latest, now);
  }
}

for (const timeZone of testedZones) {
  test(`a daily start in ${timeZone} is the one that a walk by minutes finds`, () => {
    const shown = shownTimeOf(timeZone);
    const near = fc.integer({ min: -180, max: 180 });
    fc.assert(
      fc.property(minutesOf(timeZone), near, fc.nat({ max: 1 }), (from, minutes, rest) => {
        const timeOfDay = (shown(from) + minutes * minute + day) % day;
        const cron = `${(timeOfDay / minute) % 60} ${Math.floor(timeOfDay / hour)} * * *`;
        assert.equal(nextStart(cron, from + rest, timeZone), walkToStart(timeOfDay, from, shown));
      }),
      { numRuns: 25 },
    );
  });
}

function names(field: string, value: number, least: number): boolean {
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? [];
  if (step !== undefined) return (value - least) % Number(step) === 0;
  return field === "*" || field.split(",").includes(String(value));
}

test("whenever it is advanced, it begins and ends in turns, each time at a start of its own", () => {
  const looks = fc.array(fc.integer({ min: 0, max: 3 * 24 * 60 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      anyCron,
      fc.integer({ min: 1, max: 2000 }),
      looks,
      (cron, durationMinutes, pauses) => {
        let now = noon;
        let plan: Maintenance = { ...daily, cron, durationMinutes };
        plan = { ...plan, nextAt: nextStartOf(plan, when(now)) };
        let latest = 0;
        for (const pause of pauses) {
          now += pause * minute;
          for (let step = dueStep(plan, now); step !== undefined; step = dueStep(plan, now)) {
            if (step.kind === "end") {
              plan = { ...plan, endsAt: undefined };
              continue;
            }
            assert.ok(step.at > latest && step.at <= now);
            latest = step.at;
            plan =
              step.kind === "begin"
                ? withStart(plan, step.at, { held: [], timeZone: "+00:00" })
                : withMissedStart(plan, step.at, when(now));
            assert.ok(plan.nextAt === undefined || plan.nextAt > (plan.endsAt ?? step.at));
          }
          assert.ok(plan.endsAt === undefined || plan.endsAt > now);
          assert.ok(plan.history.length <= 10);
        }
      },
    ),
    { numRuns: 200 },
  );
});

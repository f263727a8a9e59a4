import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { checkParametersContract } from "../../test/contracts/check-parameters.ts";
import { expectedAfter } from "../domain/heartbeat/heartbeat-plan.ts";
import { pushCheck } from "./push.ts";

checkParametersContract(pushCheck, {
  least: {},
  leastReads: {},
  full: {
    fields: { a: { name: "a", min: 1 } },
    oldresultfail: "true",
    cron: "@daily",
    oncalendar: "Mon 02:30 Europe/Riga",
    timezone: "europe/berlin",
    grace: "45",
    maxruntime: 0.5,
  },
  fullReads: {
    fields: [{ path: "a", min: 1 }],
    oldresultfail: true,
    cron: "0 0 * * *",
    oncalendar: "Mon 02:30 Europe/Riga",
    timezone: "Europe/Berlin",
    grace: 45,
    maxruntime: 0.5,
  },
});

const data = {
  cpu: { load: 0.5 },
  mount: [{ free: "12.5" }, { free: 3 }],
  "diskfree./": 40,
  checksum: "abc",
  huge: Number.NaN,
};

const judgements = [
  {
    name: "no data and no fields is a heartbeat",
    fields: undefined,
    sent: undefined,
    message: "Heartbeat received",
    passes: true,
  },
  {
    name: "data that nobody tracks is a heartbeat",
    fields: {},
    sent: data,
    message: "Heartbeat received",
    passes: true,
  },
  {
    name: "a value in its range passes",
    fields: { a: { name: "cpu.load", min: 0, max: 1 } },
    sent: data,
    message: "All fields within parameters",
    passes: true,
  },
  {
    name: "limits belong to their range",
    fields: { a: { name: "cpu.load", min: 0.5, max: "0.5" } },
    sent: data,
    message: "All fields within parameters",
    passes: true,
  },
  {
    name: "numeric text is a number",
    fields: { a: { name: "mount.0.free", min: "12", max: "13" } },
    sent: data,
    message: "All fields within parameters",
    passes: true,
  },
  {
    name: "a key may hold dots",
    fields: { a: { name: "diskfree./", min: 1, max: 50 } },
    sent: data,
    message: "All fields within parameters",
    passes: true,
  },
  {
    name: "a missing limit is none",
    fields: { a: { name: "mount.1.free" } },
    sent: data,
    message: "All fields within parameters",
    passes: true,
  },
  {
    name: "a limit of null is 0",
    fields: { a: { name: "mount.1.free", min: null, max: null } },
    sent: data,
    message: "mount.1.free:3 (max 0)",
    passes: false,
  },
  {
    name: "a value below its range fails",
    fields: { a: { name: "cpu.load", min: 1, max: 2 } },
    sent: data,
    message: "cpu.load:0.5 (min 1)",
    passes: false,
  },
  {
    name: "text that is no number is absent",
    fields: { a: { name: "checksum", min: 0, max: 1 } },
    sent: data,
    message: "checksum:absent",
    passes: false,
  },
  {
    name: "a number that is none is absent",
    fields: { a: { name: "huge", min: 0, max: 1 } },
    sent: data,
    message: "huge:absent",
    passes: false,
  },
  {
    name: "every fault is listed",
    fields: { a: { name: "x" }, b: { name: "cpu.load", max: 0 } },
    sent: data,
    message: "x:absent. cpu.load:0.5 (max 0)",
    passes: false,
  },
  {
    name: "a heartbeat without the data that is tracked fails",
    fields: { a: { name: "x" } },
    sent: undefined,
    message: "x:absent",
    passes: false,
  },
  {
    name: /* guard: own values of metrics */ "what objects inherit is absent",
    fields: { a: { name: "inherited" } },
    sent: Object.create({ inherited: 5 }) as unknown,
    message: "inherited:absent",
    passes: false,
  },
  {
    name: "what arrays have beside their elements is absent",
    fields: { a: { name: "mount.length" } },
    sent: data,
    message: "mount.length:absent",
    passes: false,
  },
];

for (const { name, fields, sent, message, passes } of judgements) {
  test(name, () => {
    const outcome = pushCheck.prepare({ ...(fields !== undefined && { fields }) }).judge(sent);
    assert.deepEqual(
      [outcome.passed, outcome.reason, outcome.text, outcome.message],
      [passes, passes ? "ok" : "metric", passes ? "Success" : "Failure", message],
    );
  });
}

test("silence is a failure only where it is said to be", () => {
  const fails = (parameters: Readonly<Record<string, unknown>>): boolean =>
    pushCheck.prepare(parameters).plan.failsWhenLate;
  assert.equal(fails({}), false);
  assert.equal(fails({ oldresultfail: "true" }), true);
  assert.equal(fails({ oldresultfail: "false" }), false);
  assert.equal(fails({ maxruntime: 5 }), false);
  for (const expects of [{ cron: "0 3 * * *" }, { oncalendar: "quarterly" }, { grace: 5 }]) {
    assert.equal(fails(expects), true);
    assert.equal(fails({ ...expects, oldresultfail: "false" }), false);
  }
});

test("a run may take maxruntime, or else the grace time, which is an hour for a cron", () => {
  const minutesOf = (parameters: Readonly<Record<string, unknown>>): readonly unknown[] => {
    const { graceMs, maxRunMs, waitsForRuns } = pushCheck.prepare(parameters).plan;
    return [graceMs, maxRunMs, waitsForRuns].map((each) =>
      typeof each === "number" ? each / 60_000 : each,
    );
  };
  assert.deepEqual(minutesOf({}), [undefined, undefined, false]);
  assert.deepEqual(minutesOf({ grace: 5 }), [5, 5, false]);
  assert.deepEqual(minutesOf({ cron: "0 3 * * *" }), [60, 60, false]);
  assert.deepEqual(minutesOf({ oncalendar: "03:00" }), [60, 60, false]);
  assert.deepEqual(minutesOf({ cron: "0 3 * * *", grace: "2.5", maxruntime: "90" }), [
    2.5,
    90,
    true,
  ]);
  assert.deepEqual(minutesOf({ maxruntime: 90 }), [undefined, 90, true]);
});

const noon = Date.UTC(2026, 6, 1, 12);
const expectations = [
  {
    name: "a cron is read by the clock of the account",
    parameters: { cron: "0 3 * * *" },
    expected: "2026-07-02T07:00:00Z",
  },
  {
    name: "the time zone of the check comes before",
    parameters: { cron: "0 3 * * *", timezone: "Asia/Tokyo" },
    expected: "2026-07-01T18:00:00Z",
  },
  {
    name: "hours ahead of GMT are a time zone too",
    parameters: { cron: "0 3 * * *", timezone: 5.75 },
    expected: "2026-07-01T21:15:00Z",
  },
  {
    name: "a calendar expression is read by the same clocks",
    parameters: { oncalendar: "quarterly", timezone: "Asia/Tokyo" },
    expected: "2026-09-30T15:00:00Z",
  },
  {
    name: "but for the zone that it names itself",
    parameters: { oncalendar: "quarterly UTC", timezone: "Asia/Tokyo" },
    expected: "2026-10-01T00:00:00Z",
  },
  {
    name: "of several lines the first time of all counts",
    parameters: { oncalendar: "2027-01-01\nMon 06:00\n*-*~1 Asia/Tokyo", timezone: "" },
    expected: "2026-07-06T10:00:00Z",
  },
];

for (const { name, parameters, expected } of expectations)
  test(name, () => {
    const { plan } = pushCheck.prepare(parameters);
    const about = { check: { intervalMinutes: 1, rechecks: 1 }, timeZone: "America/New_York" };
    assert.equal(expectedAfter(noon, plan, about), Date.parse(expected));
  });

const MINUTES = "must be a number of minutes from 0.25 to 527040";

const badPlans = [
  { sent: { cron: "61 * * * *" }, message: "cron: minute 61 must be from 0 to 59" },
  {
    sent: { cron: 5 },
    message: "cron: must be five fields of cron, such as 30 2 * * 1-5, in at most 1000 characters",
  },
  {
    sent: { cron: "* ".repeat(600) },
    message: "cron: must be five fields of cron, such as 30 2 * * 1-5, in at most 1000 characters",
  },
  {
    sent: { oncalendar: "02:30 CEST" },
    message: 'oncalendar: time zone "CEST" must be UTC or a name such as Europe/Berlin',
  },
  { sent: { oncalendar: "2027-02-30" }, message: "oncalendar: names no day that ever comes" },
  { sent: { oncalendar: " \n" }, message: "oncalendar: must have a line, such as Mon..Fri 02:30" },
  {
    sent: { oncalendar: 5 },
    message:
      "oncalendar: must be calendar expressions of systemd such as daily, in at most 1000 characters",
  },
  {
    sent: { cron: "0 3 * * *", oncalendar: "daily" },
    message: "oncalendar: not with cron; send an empty one of them",
  },
  {
    sent: { timezone: "Berlin" },
    message: "timezone: must be a time zone, such as Europe/Berlin or -7",
  },
  { sent: { grace: "soon" }, message: `grace: ${MINUTES}` },
  { sent: { grace: 0.2 }, message: `grace: ${MINUTES}` },
  { sent: { maxruntime: 600_000 }, message: `maxruntime: ${MINUTES}` },
  { sent: { maxruntime: -1 }, message: `maxruntime: ${MINUTES}` },
];

for (const { sent, message } of badPlans)
  test(`${JSON.stringify(sent).slice(0, 40)} is refused`, () => {
    assert.throws(() => pushCheck.prepare(sent), { code: "invalid_input", message });
  });

test("the check token is ours to assign", () => {
  assert.deepEqual(pushCheck.assigned, ["checktoken"]);
});

const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { name: "x" }]));
const OBJECT = "fields: must be an object of at most 100 fields";
const NAME = "fields.a.name: must be a text of 1 to 255 characters";

const bad = [
  { fields: [], message: OBJECT },
  { fields: "x", message: OBJECT },
  { fields: null, message: OBJECT },
  { fields: many(101), message: OBJECT },
  { fields: { a: 1 }, message: "fields.a: must be an object with name, min and max" },
  { fields: { a: {} }, message: NAME },
  { fields: { a: { name: "" } }, message: NAME },
  { fields: { a: { name: 5 } }, message: NAME },
  { fields: { a: { name: "x".repeat(256) } }, message: NAME },
  { fields: { a: { name: "x", min: "low" } }, message: "fields.a.min: must be a number" },
  { fields: { a: { name: "x", max: "1e999" } }, message: "fields.a.max: must be a number" },
  { fields: { a: { name: "x", max: "" } }, message: "fields.a.max: must be a number" },
  ...["__proto__", "constructor", "prototype"].map((key) => ({
    fields: Object.fromEntries([[key, { name: "x" }]]),
    message: OBJECT,
  })),
];

for (const { fields, message } of bad) {
  test(`the fields ${JSON.stringify(fields)?.slice(0, 60)} are refused`, () => {
    assert.throws(() => pushCheck.prepare({ fields }), { code: "invalid_input", message });
  });
}

test("a hundred fields with names of 255 characters are taken", () => {
  assert.equal(
    pushCheck.prepare({ fields: { ...many(99), long: { name: "x".repeat(255) } } }).judge({})
      .passed,
    false,
  );
});

type Tree = number | string | null | readonly Tree[] | { readonly [key: string]: Tree };

type Path = readonly [path: string, value: Tree];

/** Every path with the value it leads to: of each object's keys the longest first, as a path may be cut in more than one way. */
function flatten(tree: Tree): readonly Path[] {
  if (typeof tree !== "object" || tree === null) return [];
  const members: readonly (readonly [string, Tree])[] = Object.entries(tree);
  const longestFirst = members.toSorted(([one], [other]) => other.length - one.length);
  return longestFirst.flatMap(([key, value]) => {
    const itself: readonly Path[] = [[key, value]];
    return itself.concat(flatten(value).map(([rest, inner]) => [`${key}.${rest}`, inner]));
  });
}

const key = fc.oneof(
  fc.constantFrom("a", "b", "a.b", "b.a", "a.b.a", "0", "1", "__proto__", "constructor", "/"),
  fc.string({ minLength: 1, maxLength: 3 }),
);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: -5, max: 5 }),
    fc.integer({ min: -5, max: 5 }).map(String),
    fc.constant(null),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(key, tie("tree")), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

test("a dotted path finds the same value as flattening all of them", () => {
  fc.assert(
    fc.property(
      tree,
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      (sent, keys, pick) => {
        const all = flatten(sent);
        const known = all.length > 0 && pick % 2 === 0 ? all[pick % all.length]?.[0] : undefined;
        const path = known ?? keys.join(".");
        const [, value] = all.find(([candidate]) => candidate === path) ?? [];
        const isNumber = typeof value === "number" || (typeof value === "string" && value !== "");
        const fields = { only: { name: path, min: -5, max: Number(isNumber ? value : 0) } };
        const { passed, message } = pushCheck.prepare({ fields }).judge(sent);
        assert.equal(message, isNumber ? "All fields within parameters" : `${path}:absent`);
        assert.equal(passed, isNumber);
      },
    ),
    { numRuns: 500 },
  );
});

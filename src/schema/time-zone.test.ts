import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { nameOf, offsetText, parseTimeZone } from "./time-zone.ts";

const WINTER = Date.UTC(2026, 0, 5);
const SUMMER = Date.UTC(2026, 6, 5);

const offsets = [
  ["-7", "-07:00", "-7.0"],
  ["-7.0", "-07:00", "-7.0"],
  ["+5.5", "+05:30", "5.5"],
  [" 5.5", "+05:30", "5.5"],
  ["5.75", "+05:45", "5.75"],
  ["05.750", "+05:45", "5.75"],
  ["GMT-7", "-07:00", "-7.0"],
  ["gmt +5.5", "+05:30", "5.5"],
  ["UTC 1", "+01:00", "1.0"],
  ["-0", "+00:00", "0.0"],
  ["-0.25", "-00:15", "-0.25"],
  ["-12", "-12:00", "-12.0"],
  ["14", "+14:00", "14.0"],
] as const;

for (const [text, timeZone, shown] of offsets) {
  test(`${JSON.stringify(text)} is the offset ${timeZone}, shown as ${shown}`, () => {
    assert.equal(parseTimeZone(text), timeZone);
    assert.equal(nameOf(timeZone), undefined);
    assert.equal(offsetText(timeZone, SUMMER), shown);
  });
}

const names = [
  ["Europe/Berlin", "Europe/Berlin", "1.0", "2.0"],
  [" europe/berlin ", "Europe/Berlin", "1.0", "2.0"],
  ["AMERICA/ARGENTINA/COMODRIVADAVIA", "America/Argentina/ComodRivadavia", "-3.0", "-3.0"],
  ["Australia/Lord_Howe", "Australia/Lord_Howe", "11.0", "10.5"],
  ["Asia/Kathmandu", "Asia/Kathmandu", "5.75", "5.75"],
  ["Asia/Calcutta", "Asia/Calcutta", "5.5", "5.5"],
  ["Etc/GMT+5", "Etc/GMT+5", "-5.0", "-5.0"],
  ["utc", "UTC", "0.0", "0.0"],
] as const;

for (const [text, name, inWinter, inSummer] of names) {
  test(`${JSON.stringify(text)} is the zone ${name}`, () => {
    assert.equal(parseTimeZone(text), name);
    assert.equal(nameOf(name), name);
    assert.deepEqual([offsetText(name, WINTER), offsetText(name, SUMMER)], [inWinter, inSummer]);
  });
}

const noZones = [
  "",
  " ",
  "-12.25",
  "14.25",
  "15",
  "5.3",
  "5,5",
  "+-5",
  "1e1",
  "--7",
  ".5",
  "5.",
  "NaN",
  "Infinity",
  "Europe",
  "Berlin",
  "Europe/Mainz",
  "Europe/Berlin[u-ca=hebrew]",
  "2026-01-05T00:00Z",
  "2026-01-05T00:00+01:00[Europe/Berlin]",
  "Z",
  "7 GMT",
  "+05:45:30",
  "+25:00",
  `1${" ".repeat(64)}`,
  `${" ".repeat(1_000_000)}1`,
  "Europe/".repeat(1_000_000),
];

for (const text of noZones) {
  // guard: length of time zones
  test(`${JSON.stringify(text.slice(0, 40))} is no time zone`, () => {
    assert.equal(parseTimeZone(text), undefined);
  });
}

test("every quarter of an hour reads back as it is shown", () => {
  fc.assert(
    fc.property(fc.integer({ min: -48, max: 56 }), (quarters) => {
      const timeZone = parseTimeZone(String(quarters / 4)) ?? "";
      assert.equal(Number(offsetText(timeZone, SUMMER)), quarters / 4 + 0);
      assert.equal(parseTimeZone(offsetText(timeZone, SUMMER)), timeZone);
    }),
  );
});

test("whatever is taken is a zone of the platform", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.constantFrom(...Intl.supportedValuesOf("timeZone")),
    fc.double({ min: -20, max: 20 }).map((hours) => hours.toFixed(2)),
  );
  fc.assert(
    fc.property(text, (text) => {
      const timeZone = parseTimeZone(text);
      if (timeZone !== undefined)
        assert.doesNotThrow(() => Intl.DateTimeFormat("en", { timeZone }));
    }),
  );
});

test("every zone that the platform lists is taken", () => {
  for (const name of Intl.supportedValuesOf("timeZone")) assert.equal(parseTimeZone(name), name);
});

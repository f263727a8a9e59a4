import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { parseTimeZone, timeZoneText } from "./time-zone.ts";

const zones = [
  ["-7", "-7.0"],
  ["-7.0", "-7.0"],
  ["+5.5", "5.5"],
  [" 5.5", "5.5"],
  ["5.75", "5.75"],
  ["05.750", "5.75"],
  ["GMT-7", "-7.0"],
  ["gmt +5.5", "5.5"],
  ["UTC 1", "1.0"],
  ["-0", "0.0"],
  ["-12", "-12.0"],
  ["14", "14.0"],
] as const;

for (const [text, shown] of zones) {
  test(`${JSON.stringify(text)} is the time zone ${shown}`, () => {
    const offsetHours = parseTimeZone(text);
    assert.ok(offsetHours !== undefined);
    assert.equal(timeZoneText(offsetHours), shown);
  });
}

const noZones = [
  "",
  "GMT",
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
  "Europe/Berlin",
  "7 GMT",
];

for (const text of noZones) {
  test(`${JSON.stringify(text)} is no time zone`, () => {
    assert.equal(parseTimeZone(text), undefined);
  });
}

test("every quarter of an hour reads back as it is shown", () => {
  fc.assert(
    fc.property(fc.integer({ min: -48, max: 56 }), (quarters) => {
      assert.equal(parseTimeZone(timeZoneText(quarters / 4)), quarters / 4);
    }),
  );
});

test("whatever is taken is a quarter of an hour between the outermost zones", () => {
  fc.assert(
    fc.property(fc.double({ min: -20, max: 20 }), (hours) => {
      const offsetHours = parseTimeZone(hours.toFixed(2));
      if (offsetHours === undefined) return;
      assert.ok(Number.isInteger(offsetHours * 4) && offsetHours >= -12 && offsetHours <= 14);
      assert.ok(!Object.is(offsetHours, -0));
    }),
  );
});

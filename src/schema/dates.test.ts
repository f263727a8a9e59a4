import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { parseInstant } from "./dates.ts";

const noon = Date.UTC(2026, 6, 1, 12);

const rows: readonly (readonly [value: unknown, instant: number | undefined])[] = [
  [noon, noon],
  [String(noon), noon],
  [0, 0],
  ["2026-07-01 12:00:00", noon],
  ["2026-07-01 12:00", noon],
  ["2026-07-01T12:00:00Z", noon],
  ["2026-07-01T12:00:00.250Z", noon + 250],
  ["2026-07-01T14:00:00+02:00", noon],
  ["2026-07-01T14:00:00+0200", noon],
  ["2026-07-01 14:00:00 0200", noon],
  ["2026-07-01 08:00:00 GMT-0400", noon],
  ["2026-07-01 08:00:00GMT-0400", noon],
  ["2026-07-01 12:00:00 GMT", noon],
  ["2026-07-01 12:00:00 utc", noon],
  ["2026-07-01 08:00:00 EDT", noon],
  ["2026-07-01 17:45:00 +0545", noon],
  ["2026-07-01", Date.UTC(2026, 6, 1)],
  ["2026-07-01 12", noon],
  ["2026-07", Date.UTC(2026, 6, 1)],
  ["2026", Date.UTC(2026, 0, 1)],
  ["1969", undefined],
  ["2026-7", undefined],
  ["2024-02-29", Date.UTC(2024, 1, 29)],
  ["Wed, 01 Jul 2026 12:00:00 GMT", noon],
  ["Wed, 1 Jul 2026 08:00:00 -0400", noon],
  ["1 Jul 2026 12:00", noon],
  ["Wed, 01 Jul 2026 08:00:00 GMT-0400 (Eastern Daylight Time)", noon],
  ["2025-02-29", undefined],
  ["2026-13-01", undefined],
  ["2026-00-01", undefined],
  ["2026-07-01 25:00:00", undefined],
  ["2026-07-01 12:60:00", undefined],
  ["2026-07-01 12:00:00 constructor", undefined],
  ["31 Jun 2026 12:00:00", undefined],
  ["12 Foo 2026 12:00:00", undefined],
  ["yesterday", undefined],
  ["", undefined],
  [-1, undefined],
  [1.5, undefined],
  [Number.NaN, undefined],
  [1e300, undefined],
  ["9999999999999999", undefined],
  [true, undefined],
  [["2026-07-01"], undefined],
];

for (const [value, instant] of rows) {
  test(`${JSON.stringify(value)} is ${instant === undefined ? "no date" : new Date(instant).toISOString()}`, () => {
    assert.equal(parseInstant(value), instant);
  });
}

test("every instant reads the same as ms, as ISO 8601 and, to the second, as a date of a mail", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date("9999-12-30"), noInvalidDate: true }),
      (date) => {
        const at = date.getTime();
        assert.equal(parseInstant(at), at);
        assert.equal(parseInstant(String(at)), at);
        assert.equal(parseInstant(date.toISOString()), at);
        assert.equal(parseInstant(date.toUTCString()), Math.floor(at / 1000) * 1000);
      },
    ),
  );
});

test("no text makes it throw", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseInstant(text);
    }),
  );
});

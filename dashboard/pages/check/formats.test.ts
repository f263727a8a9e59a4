import assert from "node:assert/strict";
import { test } from "node:test";

import { formatsFor, outcomeText } from "./formats.ts";

for (const [ms, shown] of [
  [0, "0 sec"],
  [59_999, "59 sec"],
  [60_000, "1 min"],
  [3_725_000, "1 hr 2 min"],
  [90_000_000, "1 day 1 hr"],
  [3_608_000, "1 hr"],
  [-5, "0 sec"],
] as const) {
  test(`a duration of ${ms} ms is ${shown}`, () => {
    assert.equal(formatsFor("en").duration(ms), shown);
  });
}

for (const [ms, shown] of [
  [null, "–"],
  [12.4, "12 ms"],
  [1234, "1.2 sec"],
] as const) {
  test(`a run time of ${ms} ms is ${shown}`, () => {
    assert.equal(formatsFor("en").ms(ms), shown);
  });
}

test("days are those of GMT, in the language of the reader", () => {
  assert.equal(formatsFor("de").day(Date.UTC(2026, 0, 5)), "05.01.2026");
  assert.equal(formatsFor("en").month(Date.UTC(2026, 0, 31, 23)), "January 2026");
});

test("percentages are written as the reader's language writes them", () => {
  assert.equal(formatsFor("en").percent(100), "100%");
  assert.equal(formatsFor("en").percent(99.999), "99.999%");
  assert.equal(formatsFor("de").percent(99.5), "99,5\u00A0%");
});

test("what began today is since a time of day, what is older since a date", () => {
  const now = new Date(2026, 0, 5, 22, 30).getTime();
  const { since } = formatsFor("en-GB");
  assert.equal(since(new Date(2026, 0, 5, 22, 17).getTime(), now), "22:17");
  assert.equal(since(new Date(2026, 0, 4, 23, 0).getTime(), now), "4 Jan 2026, 23:00");
  assert.equal(since(Date.UTC(2025, 11, 24), now), "24 Dec 2025");
});

test("an outcome is said once where its short form begins the long one", () => {
  const said = [
    { sc: "Connection refused", m: "Connection refused: 192.0.2.1" },
    { sc: "200", m: "Success" },
    { sc: "503", m: "" },
    { sc: "", m: "No route" },
  ].map(outcomeText);
  assert.deepEqual(said, ["Connection refused: 192.0.2.1", "200: Success", "503", "No route"]);
});

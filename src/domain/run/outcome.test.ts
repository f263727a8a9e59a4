import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { daysLeft, failed, passed, storableOutcome } from "./outcome.ts";

const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 10, 21, 12);

const rows = [
  { name: "a day", validTo: now + DAY_MS, days: 1 },
  { name: "a moment less than a day", validTo: now + DAY_MS - 1, days: 0 },
  { name: "nothing", validTo: now, days: 0 },
  { name: "a moment too late", validTo: now - 1, days: -1 },
  { name: "a day too late", validTo: now - DAY_MS, days: -1 },
];

for (const { name, validTo, days } of rows) {
  test(`${name} is left: ${days} whole days`, () => {
    assert.equal(daysLeft({ validTo }, now), days);
  });
}

test("the days that are left are whole ones, and the next would be too many", () => {
  const instant = fc.integer({ min: 0, max: 253_402_300_799_000 });
  fc.assert(
    fc.property(instant, instant, (validTo, at) => {
      const days = daysLeft({ validTo }, at);
      assert.ok(Number.isInteger(days));
      assert.ok(at + days * DAY_MS <= validTo && validTo < at + (days + 1) * DAY_MS);
    }),
  );
});

test("no text of an outcome keeps a NUL, and nothing else of it changes", () => {
  const certificate = { subject: "CN=a\0b", issuer: "CN=\0", validTo: now };
  const outcome = {
    ...failed("mismatch", "no\0 match", "it said \0"),
    evidence: "\0GIF\0",
    certificate,
    timings: { total: 1 },
  };
  assert.deepEqual(storableOutcome(outcome), {
    ...failed("mismatch", "no match", "it said "),
    evidence: "GIF",
    certificate: { subject: "CN=ab", issuer: "CN=", validTo: now },
    timings: { total: 1 },
  });
  const plain = failed("timeout", "timeout", "no answer");
  assert.deepEqual(storableOutcome(plain), plain);
});

test("a title is one line of at most a hundred characters, without control characters", () => {
  const title = `\u202e \0Shop\r\n\u0007front ${"\u{1f600}".repeat(100)}`;
  const { title: kept = "" } = storableOutcome(passed("200", "", { title }));
  assert.match(kept, /^Shop front \u{1f600}+$/u);
  assert.ok(kept.length <= 100 && kept.isWellFormed());
});

import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { sampleNotice, sampleAlertContext } from "../../../test/sample-alert.ts";
import { summaryOf, subjectOf } from "./alert-text.ts";
import { durationText, instantText, localText } from "./times.ts";

for (const [ms, text] of [
  [0, "0 s"],
  [400, "0 s"],
  [45_000, "45 s"],
  [60_000, "1 min"],
  [90_000, "1 min 30 s"],
  [720_000, "12 min"],
  [750_000, "13 min"],
  [3_600_000, "1 h"],
  [3_900_000, "1 h 5 min"],
  [86_400_000, "1 d"],
  [2 * 86_400_000 + 3 * 3_600_000 + 60_000, "2 d 3 h"],
  [86_400_000 + 300_000, "1 d 5 min"],
  [-5, "0 s"],
] as const) {
  test(`${ms} ms are written as ${text}`, () => assert.equal(durationText(ms), text));
}

test("a duration never has sixty of a unit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * 86_400_000 }), (ms) => {
      assert.doesNotMatch(durationText(ms), /\b(60 s|60 min|24 h)\b/);
    }),
  );
});

const NOON = Date.UTC(2026, 0, 5, 12);

for (const [timeZone, text] of [
  ["+00:00", "2026-01-05 12:00:00 GMT"],
  ["+01:00", "2026-01-05 13:00:00 GMT+1"],
  ["+05:45", "2026-01-05 17:45:00 GMT+5:45"],
  ["-09:30", "2026-01-05 02:30:00 GMT-9:30"],
  ["+13:00", "2026-01-06 01:00:00 GMT+13"],
  ["Europe/Berlin", "2026-01-05 13:00:00 CET, Europe/Berlin"],
  ["UTC", "2026-01-05 12:00:00 UTC"],
  ["Europe/London", "2026-01-05 12:00:00 GMT, Europe/London"],
  ["America/New_York", "2026-01-05 07:00:00 EST, America/New_York"],
  ["Asia/Kolkata", "2026-01-05 17:30:00 IST, Asia/Kolkata"],
  ["Europe/Istanbul", "2026-01-05 15:00:00 GMT+3, Europe/Istanbul"],
] as const) {
  test(`noon in GMT is written in ${timeZone} as ${text}`, () =>
    assert.equal(instantText(NOON, timeZone), text));
}

test("an instant is written with the offset that its zone then has", () => {
  assert.equal(
    instantText(Date.UTC(2026, 6, 5, 12), "Europe/London"),
    "2026-07-05 13:00:00 BST, Europe/London",
  );
  assert.deepEqual(
    [0, 1].map((hour) => localText(Date.UTC(2026, 9, 25, hour, 30), "Europe/Berlin")),
    ["2026-10-25 02:30:00 CEST", "2026-10-25 02:30:00 CET"],
  );
});

for (const { context, subject } of [
  { context: sampleAlertContext("down"), subject: "DOWN: Shop" },
  { context: sampleAlertContext("up"), subject: "UP: Shop after 12 min" },
  { context: sampleAlertContext("up", { downForMs: undefined }), subject: "UP: Shop" },
  { context: sampleAlertContext("first"), subject: "First result: Shop is down" },
  {
    context: sampleAlertContext("first", { state: "passing" }),
    subject: "First result: Shop is up",
  },
  { context: { ...sampleAlertContext("first"), kind: "down" as const }, subject: "DOWN: Shop" },
  {
    context: sampleAlertContext("down", {
      check: { ...sampleNotice("down").check, label: " \u200B " },
    }),
    subject: "DOWN: 202601051200ALICE-SHOP0001",
  },
]) {
  test(`a subject reads ${subject}`, () => assert.equal(subjectOf(context), subject));
}

test("a summary says each thing once: where it was seen, what it was before, and what the others found", () => {
  const { result, check, confirmations } = sampleNotice("down");
  const context = sampleAlertContext("down", {
    check: { ...check, label: check.target, description: "" },
    confirmations: [
      ...confirmations,
      { at: NOON + 2000, location: "sgp", passed: false, message: "no answer in time" },
    ],
    result: { ...result, text: "503", message: "HTTP status returned: 503" },
  });
  const { facts, confirmations: others } = summaryOf({ ...context, timeZone: "Europe/Berlin" });
  assert.deepEqual(
    facts.map(({ name, value }) => `${name}: ${value}`),
    [
      "Down since: 2026-01-05 13:00:00 CET, Europe/Berlin",
      "Error: HTTP status returned: 503",
      "Seen from: fra 13:00:00, nyc 13:00:01",
      "Last passed: 12:59:00 from fra: 200, 118 ms",
      "Check: HTTP, every minute",
      "Account: Alice",
    ],
  );
  assert.deepEqual(others, ["sgp 13:00:02: failed, no answer in time"]);
});

for (const [waitedFor, text] of [
  ["outside_window", "its window was closed until now"],
  ["check_muted", "the check was muted until now"],
  ["address_muted", "this address was muted until now"],
  ["dependency_down", "the check that it depends on was down until now"],
] as const) {
  test(`a Down that waited for ${waitedFor} says so, and its Up does not`, () => {
    const lateText = (kind: "down" | "up") => {
      const context = sampleAlertContext(kind);
      const { facts } = summaryOf({ ...context, alert: { ...context.alert, waitedFor } });
      return facts.find(({ name }) => name === "Sent late")?.value;
    };
    assert.deepEqual([lateText("down"), lateText("up")], [text, undefined]);
  });
}

test("what was missed says from when to when it was down, and that it was over before this could be delivered", () => {
  const { subject, sentence, facts } = summaryOf(sampleAlertContext("missed"));
  assert.equal(subject, "WAS DOWN: Shop for 12 min");
  assert.equal(sentence, "Shop was down for 12 min, and is up again.");
  const wanted = new Set(["Went down", "Up since", "Sent late"]);
  assert.deepEqual(
    facts.flatMap(({ name, value }) => (wanted.has(name) ? [`${name}: ${value}`] : [])),
    [
      "Went down: 2026-01-05 12:00:00 GMT",
      "Up since: 12:12:00",
      "Sent late: it was over before this could be delivered",
    ],
  );
});

// guard: line breaks
test("every line of a summary is one line of plain text and none is endless, whatever strangers wrote", () => {
  const text = fc.string({ unit: "binary", maxLength: 3000 });
  fc.assert(
    fc.property(text, text, text, (label, target, message) => {
      const notice = sampleNotice("down");
      const context = sampleAlertContext("down", {
        account: { id: "1", name: label },
        check: { ...notice.check, label, target },
        result: { ...notice.result, text: message, message },
        confirmations: Array.from({ length: 40 }, () => ({
          at: NOON,
          location: "fra",
          passed: true,
          message,
        })),
      });
      const summary = summaryOf(context);
      const lines = [
        summary.subject,
        summary.sentence,
        ...summary.facts.map(({ value }) => value),
        ...summary.confirmations,
      ];
      for (const line of lines) {
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        assert.ok(Array.from(line).length <= 520);
      }
      assert.equal(summary.confirmations.length, 21);
      assert.equal(summary.confirmations.at(-1), "and 20 more");
    }),
  );
});

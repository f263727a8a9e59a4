import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { icalendar } from "./icalendar.ts";

/** Unfolds lines as a reader does (RFC 5545, section 3.1). */
function unfold(text: string): string {
  return text.replaceAll("\r\n ", "");
}

/** Unescapes text as a reader does (section 3.3.11). */
function unescape(text: string): string {
  return text.replaceAll(/\\([nN\\;,])/g, (_, sign: string) =>
    sign.toLowerCase() === "n" ? "\n" : sign,
  );
}

function calendarOf(summary: string): string {
  return icalendar("name", [
    {
      uid: "1",
      startsAt: 0,
      endsAt: 60_000,
      changedAt: 0,
      summary,
      description: "BEGIN:VEVENT\r\nSUMMARY:planted",
    },
  ]);
}

for (const [text, escaped] of [
  ["plain", "plain"],
  ["a, b; c", String.raw`a\, b\; c`],
  [String.raw`C:\new`, String.raw`C:\\new`],
  ["two\r\nlines\rthree\n", String.raw`two\nlines\nthree\n`],
  ["tab\tbell\u0007", "tabbell"],
  ["BEGIN:VEVENT", "BEGIN:VEVENT"],
  ["lone \uD83D surrogate", "lone \uFFFD surrogate"],
] as const)
  test(`${JSON.stringify(text)} is escaped`, () =>
    assert.ok(calendarOf(text).includes(`\r\nSUMMARY:${escaped}\r\n`)));

test("lines have at most 75 octets, and break between characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
      for (const line of calendarOf(text).split("\r\n")) {
        assert.ok(Buffer.byteLength(line) <= 75);
        assert.equal(line.toWellFormed(), line);
      }
    }),
  );
});

test("no text of an event can end its line: it reads as it was written", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const lines = unfold(calendarOf(text)).split("\r\n");
      assert.equal(lines.filter((line) => line === "BEGIN:VEVENT").length, 1);
      const [summary, ...others] = lines.filter((line) => line.startsWith("SUMMARY:"));
      assert.deepEqual(others, []);
      const plain = text
        .toWellFormed()
        .replaceAll(/\r\n?/g, "\n")
        .replaceAll(/[^\P{Cc}\n]/gu, "");
      assert.equal(unescape(summary?.slice("SUMMARY:".length) ?? ""), plain);
    }),
  );
});

test("a calendar says when, in UTC, and what", () => {
  const calendar = icalendar("Shop: maintenances", [
    {
      uid: "a-1@watchpost",
      startsAt: Date.UTC(2026, 2, 29, 1, 30),
      endsAt: Date.UTC(2026, 2, 29, 2),
      changedAt: Date.UTC(2026, 0, 5, 12),
      summary: "Backup",
      description: "",
    },
  ]);
  assert.equal(
    calendar,
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Watchpost//Maintenances//EN",
      "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH",
      "NAME:Shop: maintenances",
      "X-WR-CALNAME:Shop: maintenances",
      "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
      "X-PUBLISHED-TTL:PT1H",
      "BEGIN:VEVENT",
      "UID:a-1@watchpost",
      "SEQUENCE:0",
      "DTSTAMP:20260105T120000Z",
      "DTSTART:20260329T013000Z",
      "DTEND:20260329T020000Z",
      "SUMMARY:Backup",
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ].join("\r\n"),
  );
});

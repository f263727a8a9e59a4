import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { takeLines, truncate, summaryLines } from "./alert-lines.ts";

const line = fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replaceAll("\n", ""));

test("a summary is written in lines, what matters most first", () => {
  const summary = {
    subject: "DOWN: Shop",
    sentence: "Shop is down.",
    facts: [{ name: "Check", value: "Shop" }],
    confirmations: ["fra: failed"],
    responseLines: ["HTTP/1.1 503"],
  };
  assert.deepEqual(summaryLines(summary), [
    "Check: Shop",
    "Other runs:",
    "fra: failed",
    "It answered:",
    "HTTP/1.1 503",
  ]);
  assert.deepEqual(summaryLines({ ...summary, confirmations: [], responseLines: [] }), [
    "Check: Shop",
  ]);
});

for (const sizeOf of [(text: string) => text.length, (text: string) => Buffer.byteLength(text)]) {
  test(`whole lines are kept as long as they fit, by ${sizeOf.toString()}`, () => {
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 10, max: 400 }), (lines, most) => {
        const kept = takeLines(lines, most, sizeOf);
        assert.ok(sizeOf(kept.join("\n")) <= most);
        const whole = kept.at(-1) === "…" ? kept.slice(0, -1) : kept;
        assert.deepEqual(whole, lines.slice(0, whole.length));
        if (sizeOf(lines.join("\n")) <= most - sizeOf("…\n") - 1) assert.deepEqual(kept, lines);
      }),
    );
  });
}

test("a text is shortened to so many UTF-16 units without half a character at its end", () => {
  assert.equal(truncate("short", 5), "short");
  assert.equal(truncate("longer", 5), "long…");
  assert.equal(truncate("abc😀def", 5), "abc…");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const short = truncate(text.toWellFormed(), most);
      assert.ok(short.length <= most && short.isWellFormed());
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { InvalidInput } from "../errors.ts";
import { formPairs, maxParameters } from "./form-pairs.ts";

test("a query is read as URLSearchParams reads it, but for a question mark at its start", () => {
  const pieces = fc.constantFrom(
    "a",
    "=",
    "&",
    "+",
    "%",
    "%4",
    "%41",
    "%c3%a9",
    "%FF",
    "%zz",
    "?",
    "\u007f",
  );
  fc.assert(
    fc.property(fc.string({ unit: pieces }), (text) => {
      assert.deepEqual(formPairs(text), [...new URLSearchParams(`&${text}`)]);
    }),
  );
});

for (const [text, pairs] of [
  [
    "é=ü&\ud800=\udfff",
    [
      ["é", "ü"],
      ["\ufffd", "\ufffd"],
    ],
  ],
  ["%c3é=%C3%BCü", [["\ufffdé", "üü"]]],
] as const) {
  test(`${JSON.stringify(text)} keeps its characters, and what is none becomes U+FFFD`, () => {
    assert.deepEqual(formPairs(text), pairs);
  });
}

// guard: parameters of forms
test("more parameters than allowed are refused, and empty ones are not counted", () => {
  assert.equal(formPairs("a=1&&".repeat(maxParameters)).length, maxParameters);
  assert.throws(
    () => formPairs("a&".repeat(maxParameters + 1)),
    new InvalidInput("parameters: more than 10000 of them"),
  );
});

import assert from "node:assert/strict";
import test from "node:test";

import { onOneLine, textFault } from "./text-rule.ts";

const faults = [
  { rule: { contentstring: "Welcome", invert: false }, says: 'Text not found: "Welcome"' },
  { rule: { contentstring: "oops", invert: true }, says: 'Forbidden text found: "oops"' },
  {
    rule: { contentstring: String.raw`n \d+`, regex: true, invert: false },
    says: String.raw`Pattern not found: "n \d+"`,
  },
  {
    rule: { contentstring: "^x", regex: true, invert: true },
    says: 'Forbidden pattern found: "^x"',
  },
];

for (const { rule, says } of faults) {
  test(`a failure by a text rule says ${says}`, () => assert.equal(textFault(rule), says));
}

test("a text that was looked for is shown as one line of at most 100 characters", () => {
  assert.equal(onOneLine("a\r\n b\tc\u2028d\u0007e"), "a b c d e");
  assert.equal(onOneLine("x".repeat(100)), "x".repeat(100));
  assert.equal(onOneLine("x".repeat(101)), `${"x".repeat(100)}…`);
});

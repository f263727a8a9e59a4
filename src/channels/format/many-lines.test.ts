import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { manyLines } from "./many-lines.ts";

const rows: readonly (readonly [string, number, readonly string[]])[] = [
  ["", 3, []],
  ["one", 3, ["one"]],
  ["one\ntwo\r\nthree\rfour", 9, ["one", "two", "three", "four"]],
  ["one\n\n two\n\n\n", 3, ["one", "", "two"]],
  ["1\n2\n3\n4\n5", 3, ["1", "2", "3", "and 2 more lines"]],
];

for (const [text, most, lines] of rows) {
  test(`${JSON.stringify(text)} in ${most} lines`, () =>
    assert.deepEqual(manyLines(text, most), lines));
}

test("no line is endless, none breaks again, and there are never more than one too many", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 2000 }),
      fc.integer({ min: 1, max: 9 }),
      (text, most) => {
        const lines = manyLines(text, most);
        assert.ok(lines.length <= most + 1);
        for (const line of lines) {
          assert.ok(Array.from(line).length <= 300);
          assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
      },
    ),
  );
});

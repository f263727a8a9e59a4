import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { InvalidInput } from "./errors.ts";
import { parseJson } from "./safe-json.ts";

const refused = [
  { name: "text that is no JSON", text: "{", message: "data: malformed JSON" },
  {
    name: "a number beyond all doubles",
    text: '{"a":1e999}',
    message: "data: numbers must be finite",
  },
  {
    name: "a key that is the prototype",
    text: '{"a":{"__proto__":{}}}',
    message: 'data: key not allowed "__proto__"',
  },
  {
    name: "a key that is the constructor",
    text: '[{"constructor":1}]',
    message: 'data: key not allowed "constructor"',
  },
  {
    name: "a key that is called prototype",
    text: '{"prototype":1}',
    message: 'data: key not allowed "prototype"',
  },
  {
    name: "21 levels",
    text: "[".repeat(21) + "]".repeat(21),
    message: "data: nested deeper than 20 levels",
  },
  {
    name: "half a million levels",
    text: "[".repeat(500_000) + "]".repeat(500_000),
    message: "data: nested deeper than 20 levels",
  },
  {
    name: "10,001 keys",
    text: JSON.stringify(Array.from({ length: 10_001 }, () => 0)),
    message: "data: more than 10000 keys",
  },
  {
    name: "a NUL in a value",
    text: '{"a":"\\u0000"}',
    message: "data: text must not hold a NUL character",
  },
  {
    name: "a NUL in a key",
    text: '{"\\u0000":1}',
    message: "data: text must not hold a NUL character",
  },
];

for (const { name, text, message } of refused) {
  // guard: keys of JSON
  // guard: depth of JSON
  // guard: NUL characters
  // guard: keys of prototypes in JSON
  // guard: finite numbers
  test(`JSON from outside with ${name} is refused`, () => {
    assert.throws(
      () => parseJson("data", text),
      (error) => error instanceof InvalidInput && error.message === message,
    );
  });
}

test("20 levels and 10,000 keys are taken", () => {
  assert.ok(parseJson("data", "[".repeat(20) + "]".repeat(20)));
  assert.ok(parseJson("data", JSON.stringify(Array.from({ length: 10_000 }, () => 0))));
});

test("of a repeated key the last one counts, and a byte order mark does not matter", () => {
  assert.deepEqual(parseJson("data", '\uFEFF{"a":1,"a":2}'), { a: 2 });
});

test("any JSON within the limits is what JSON.parse makes of it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/__proto__|constructor|prototype|\\u0000/.test(text));
      assert.deepEqual(parseJson("data", text), JSON.parse(text));
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { etagOf, matchesEtag } from "./etag.ts";

test("a tag is quoted, and another for other bytes", () => {
  assert.match(etagOf("a"), /^"[\w-]{43}"$/);
  assert.equal(etagOf("a"), etagOf(Buffer.from("a")));
  assert.notEqual(etagOf("a"), etagOf("b"));
});

const rows = [
  { name: "none is sent", sent: undefined, known: false },
  { name: "it is the one", sent: '"a"', known: true },
  { name: "it is one of several", sent: '"b", "a"', known: true },
  { name: "a proxy weakened it", sent: 'W/"a"', known: true },
  { name: "it is another", sent: '"ab"', known: false },
  { name: "it is empty", sent: "", known: false },
];

for (const { name, sent, known } of rows) {
  test(`a tag is ${known ? "known" : "unknown"} where ${name}`, () => {
    assert.equal(matchesEtag('"a"', sent), known);
  });
}

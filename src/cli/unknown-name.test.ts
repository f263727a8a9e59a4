import assert from "node:assert/strict";
import { test } from "node:test";

import { unknownName } from "./unknown-name.ts";

for (const [names, sentence] of [
  [[], 'there is no check "shop"'],
  [["Router", "Backup"], 'there is no check "shop"'],
  [["Shops", "Router"], 'there is no check "shop"; did you mean "Shops"?'],
  [["Our web shop", "chop"], 'there is no check "shop"; did you mean "chop" or "Our web shop"?'],
  [
    ["Shop 1", "Shop 2", "Our web shop of old", "shopp"],
    'there is no check "shop"; did you mean "shopp", "Shop 1", or "Shop 2"?',
  ],
] as const)
  test(`among ${JSON.stringify(names)}: ${sentence}`, () => {
    assert.equal(unknownName("check", "shop", names), sentence);
  });

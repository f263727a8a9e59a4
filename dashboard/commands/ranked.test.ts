import assert from "node:assert/strict";
import { test } from "node:test";

import { ranked, type Searched } from "./ranked.ts";

const items: readonly Searched[] = [
  { name: "Workshop", address: "https://10.0.0.7:8077/" },
  { name: "Old shop", others: ["web"] },
  { name: "Shop of Ann" },
  { name: "Shop" },
  { name: "Mail", address: "https://shop.example:8077/" },
  { name: "Backup", others: ["shop"] },
];
const found = (wanted: string): readonly string[] =>
  ranked(items, wanted, (item) => item).map(({ item }) => item.name);

test("an exact name comes first, then its beginning, a word, a part, a tag and the address", () => {
  assert.deepEqual(found("SHOP"), [
    "Shop",
    "Shop of Ann",
    "Old shop",
    "Workshop",
    "Backup",
    "Mail",
  ]);
});

test("every word has to match, in any order", () => {
  assert.deepEqual(found("web shop"), ["Old shop"]);
  assert.deepEqual(found("shop zoe"), []);
  assert.equal(found(" ").length, items.length);
});

test("digits match addresses only where nothing matches better", () => {
  assert.deepEqual(found("7"), ["Workshop", "Mail"]);
  const more = [...items, { name: "Line 7" }];
  assert.deepEqual(
    ranked(more, "7", (item) => item).map(({ item }) => item.name),
    ["Line 7"],
  );
});

test("what matches is marked", () => {
  const marks = (name: string, wanted: string): unknown =>
    ranked([{ name }], wanted, (item) => item)[0]?.marks;
  assert.deepEqual(marks("Workshop shop", "shop"), [[9, 13]]);
  assert.deepEqual(marks("Old shop", "shop ol"), [
    [0, 2],
    [4, 8],
  ]);
  assert.deepEqual(marks("Shop", "sh hop"), [[0, 4]]);
  assert.deepEqual(marks("Shop", ""), []);
});

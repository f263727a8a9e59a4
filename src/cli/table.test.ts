import assert from "node:assert/strict";
import { test } from "node:test";

import { paintStates } from "./output/colors.ts";
import { widthOf } from "./output/text-width.ts";
import { formatTable } from "./table.ts";

const rows = [
  ["ID", "STATE", "LABEL"],
  ["1", "up", "short"],
  ["2", "down", "日本語のとても長い名前"],
];

for (const { text, width } of [
  { text: "plain", width: 5 },
  { text: "日本", width: 4 },
  { text: "ｆｕｌｌ", width: 8 },
  { text: "é", width: 1 },
  { text: "👩‍👩‍👧", width: 2 },
  { text: "❤️", width: 2 },
  { text: "", width: 0 },
])
  test(`${JSON.stringify(text)} takes ${width} columns`, () => assert.equal(widthOf(text), width));

test("columns stay below each other whatever is in them", () => {
  assert.equal(
    formatTable(rows),
    "ID  STATE  LABEL\n1   up     short\n2   down   日本語のとても長い名前\n",
  );
  assert.equal(
    formatTable([
      ["日本", "x"],
      ["a", "y"],
    ]),
    "日本  x\na     y\n",
  );
});

test("a table may have hundreds of thousands of rows", () => {
  const text = formatTable(Array.from({ length: 200_000 }, () => ["1", "up"]));
  assert.equal(text.length, 200_000 * "1  up\n".length);
});

test("a table fits the terminal, and ids stay whole", () => {
  const lines = formatTable(rows, { columns: 24 }).trimEnd().split("\n");
  for (const line of lines) assert.ok(widthOf(line) <= 24, line);
  assert.equal(lines[2], "2   down   日本語のとて…");
  const [, narrow = ""] = formatTable(
    [
      ["ID", "X"],
      ["0123456789", "abcdefghijkl"],
    ],
    { columns: 5 },
  ).split("\n");
  assert.equal(narrow, "0123456789  abcdefg…");
});

test("states have colors, which take no columns; labels have none", () => {
  const painted = formatTable(
    [
      ["STATE", "LABEL"],
      ["down", "down"],
    ],
    { paint: paintStates },
  );
  assert.equal(painted, "STATE  LABEL\n\u001B[31mdown\u001B[0m   down\n");
});

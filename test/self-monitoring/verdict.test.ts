import assert from "node:assert/strict";
import { test } from "node:test";

import { tableOf, unnoticed, ways, type Way } from "./verdict.ts";

const notice = (seconds: number) => ({ seconds, said: "Rule" });

for (const { name, notices, isNoticed } of [
  { name: "nothing", notices: {}, isNoticed: false },
  {
    name: "only pages that a person must look at",
    notices: of("readyz", "doctor"),
    isNoticed: false,
  },
  { name: "the operator's channel", notices: of("operator"), isNoticed: true },
  { name: "Alertmanager", notices: of("alertmanager"), isNoticed: true },
  { name: "the dead man's switch", notices: of("switch"), isNoticed: true },
  {
    name: "the operator's channel after two minutes",
    notices: { operator: notice(120.1) },
    isNoticed: false,
  },
])
  test(`a cause that reached ${name} is ${isNoticed ? "noticed" : "unnoticed"}`, () => {
    assert.deepEqual(unnoticed([{ cause: "disk", notices }]), isNoticed ? [] : ["disk"]);
  });

function of(...noticed: readonly Way[]) {
  return Object.fromEntries(noticed.map((way) => [way, notice(120)]));
}

test("the table has a row for each cause and a column for each way", () => {
  const [head = "", line = "", row] = tableOf([
    { cause: "disk full", notices: { operator: { seconds: 7.4, said: "" }, switch: notice(90) } },
  ]).split("\n");
  assert.equal(head.split("|").length, line.split("|").length);
  assert.equal(head.split("|").length, ways.length + 3);
  assert.equal(row, "| disk full | 7 s | – | 90 s (Rule) | – | – |");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { haulLines, judgeHauls } from "./intrusion.ts";

test("whatever an intruder gained is a finding, and so is a step that was never made, and what was never shown", () => {
  const name = "reader";
  const hauls = [
    {
      name,
      tried: { reads: 3, links: 0 },
      shown: { refusals: 4, "audit lines": 0 },
      gained: { secrets: 2, acknowledgements: 0 },
    },
  ];
  assert.deepEqual(judgeHauls(hauls), [
    { harm: "gained", about: name, what: "secrets: 2" },
    { harm: "untried", about: name, what: "links" },
    { harm: "unshown", about: name, what: "audit lines" },
  ]);
  assert.deepEqual(haulLines(hauls), [
    "  reader: reads 3, links 0; shown: refusals 4, audit lines 0; gained: secrets 2, acknowledgements 0",
  ]);
});

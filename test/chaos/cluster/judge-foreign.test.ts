import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { judgeForeign } from "./judge-foreign.ts";

const locations = { live: ["ny", "sg"], known: ["ny", "ld", "sg"] };

suite("a foreign probe", () => {
  const rows: readonly (readonly [
    name: string,
    output: string,
    live: string[],
    found: string[],
  ])[] = [
    ["is right where it is refused", "connected\nrefused job.sg.*\n", ["ny"], []],
    [
      "is an intruder where it gets a job of another location, named once",
      "connected\nreceived job.sg.v1-1\nreceived job.sg.v1-1\n",
      ["ny"],
      ["received job.sg.v1-1"],
    ],
    ["is an intruder where it is a live location", "connected\n", ["ny", "xx"], ["is live as xx"]],
  ];
  for (const [name, output, live, found] of rows)
    test(name, () => {
      const findings = judgeForeign(output, { ...locations, live });
      assert.deepEqual(
        findings.map(({ what }) => what),
        found,
      );
    });
});

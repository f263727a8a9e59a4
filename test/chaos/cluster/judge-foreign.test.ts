import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { judgeForeign, sentBy } from "./judge-foreign.ts";

const known = { ny: "nam", sg: "eao", zz: "lam", local: "wlw" };

suite("a foreign probe", () => {
  const rows: readonly (readonly [
    name: string,
    output: string,
    live: Readonly<Record<string, string>>,
    found: string[],
  ])[] = [
    [
      "is right where it is refused, and live in its own region",
      "connected\nrefused job.sg.*\n",
      { ny: "nam", zz: "lam", local: "wlw" },
      [],
    ],
    [
      "is an intruder where it gets a job of another location, named once",
      "connected\nreceived job.sg.v1-1-eao\nreceived job.sg.v1-1-eao\n",
      { ny: "nam" },
      ["received job.sg.v1-1-eao"],
    ],
    [
      "is an intruder where it is live as another location",
      "connected\n",
      { ny: "nam", xx: "eao" },
      ["is live as xx"],
    ],
    [
      "is an intruder where it is live in another region",
      "connected\n",
      { ny: "nam", zz: "nam" },
      ["is live as zz in nam"],
    ],
  ];
  for (const [name, output, live, found] of rows)
    test(name, () => {
      const findings = judgeForeign([{ output: () => output }], { live, known });
      assert.deepEqual(
        findings.map(({ what }) => what),
        found,
      );
    });

  test("says how much it sent", () => {
    const outputs = ["connected\nsent 600\nrefused x\nsent 1200\n", "sent 7\n", "connected\n"];
    assert.equal(sentBy(outputs.map((text) => ({ output: () => text }))), 1207);
  });
});

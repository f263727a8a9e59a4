import assert from "node:assert/strict";
import { test } from "node:test";

import { parseFlag } from "./flag.ts";

const rows: readonly {
  readonly written: readonly unknown[];
  readonly reads: boolean | undefined;
}[] = [
  { written: [true, 1, "1", "true", "True", " TRUE ", "yes", "on", "active"], reads: true },
  { written: [false, 0, "0", "false", "False", "no", "Off", "inactive"], reads: false },
  {
    written: ["", "maybe", "constructor", 2, -1, Number.NaN, null, undefined, {}, [], [true]],
    reads: undefined,
  },
];

for (const { written, reads } of rows) {
  for (const value of written) {
    test(`the flag ${JSON.stringify(value)} reads as ${reads}`, () => {
      assert.equal(parseFlag(value), reads);
    });
  }
}

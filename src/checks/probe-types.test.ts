import assert from "node:assert/strict";
import { test } from "node:test";

import { probeTypes } from "./probe-types.ts";
import { checkTypes } from "./registry.ts";

test("the types that probes run are those of the registry", () => {
  const run = checkTypes.filter(({ driver }) => driver === "probe").map(({ type }) => type);
  assert.deepEqual(probeTypes, run);
});

import assert from "node:assert/strict";
import test from "node:test";

import { unbuilt } from "./unbuilt.ts";

test("a run without a probe is trouble of our own", async () => {
  await assert.rejects(unbuilt("PING"), {
    code: "unavailable",
    message: "no probe for PING checks is built yet",
  });
});

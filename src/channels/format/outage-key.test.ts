import assert from "node:assert/strict";
import { test } from "node:test";

import { sampleNotice } from "../../../test/sample-alert.ts";
import { outageKeyOf } from "./outage-key.ts";

test("an outage has one key from its beginning to its end, also where its clock was set back meanwhile", () => {
  const down = sampleNotice("down");
  const up = sampleNotice("up");
  assert.equal(outageKeyOf(up), outageKeyOf(down));
  const ahead = { ...down, since: down.since + 3_600_000 };
  assert.equal(outageKeyOf({ ...up, alertedSince: ahead.since }), outageKeyOf(ahead));
});

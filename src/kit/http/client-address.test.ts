import assert from "node:assert/strict";
import { test } from "node:test";

import { clientKey } from "./client-address.ts";

for (const [address, subscriber] of [
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::9", "2001:db8:1:2::"],
  ["2001:db8:1:3::9", "2001:db8:1:3::"],
  ["", ""],
] as const) {
  test(`requests from ${JSON.stringify(address)} are counted under ${JSON.stringify(subscriber)}`, () => {
    assert.equal(clientKey(address), subscriber);
  });
}

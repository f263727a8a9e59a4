import assert from "node:assert/strict";
import { test } from "node:test";

import { descriptorLimit, maxConnections } from "./descriptor-limit.ts";

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax cpu time              unlimited            unlimited            seconds   \nMax open files            ${soft}                524288               files     \n`;

test("the limit is the soft one of the process, and a common one where the system does not say", () => {
  assert.equal(
    descriptorLimit(() => limits("20000")),
    20_000,
  );
  assert.equal(
    descriptorLimit(() => limits("unlimited")),
    Infinity,
  );
  assert.equal(
    descriptorLimit(() => ""),
    1024,
  );
  assert.equal(
    descriptorLimit(() => {
      throw new Error("ENOENT");
    }),
    1024,
  );
  assert.ok(descriptorLimit() > 0);
});

for (const [limit, set, most] of [
  [1024, undefined, 256],
  [1_048_576, undefined, 4096],
  [1024, 100, 100],
  [1024, 5000, 512],
  [Infinity, 5000, 5000],
] as const) {
  // guard: descriptors that stay free
  test(`with ${limit} descriptors and the setting ${set} there are at most ${most} connections`, () => {
    assert.equal(maxConnections(limit, set), most);
  });
}

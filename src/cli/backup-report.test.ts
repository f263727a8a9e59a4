import assert from "node:assert/strict";
import { test } from "node:test";

import { byteSize } from "../kit/byte-size.ts";
import { countsOf } from "./backup-report.ts";

test("what a backup has is counted in words", () => {
  assert.equal(
    countsOf({ accounts: 1, contacts: 2, checks: 12_345, results_20261123: 1_000_000 }),
    "1 account, 2 contacts, 12,345 checks and 1,012,348 rows in all",
  );
  assert.equal(countsOf({}), "0 accounts, 0 contacts, 0 checks and 0 rows in all");
});

for (const [bytes, said] of [
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [356_892_672, "356.9 MB"],
  [7e15, "7000.0 TB"],
] as const)
  test(`${bytes} bytes are said as ${said}`, () => {
    assert.equal(byteSize(bytes), said);
  });

import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck, aFlip, alice, aResult, minute, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

export function checkRevisionContract(open: OpenStore): void {
  test("a check whose row was changed in the database gets a new revision with its next update", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("changed")));
    await store.append(aResult(check.no, noon, { revision: 1 }));
    // Values read from such a row differ from those of its revision.
    const changed = { ...check, timeoutSeconds: 9, label: "new" };
    await store.write(({ checks }) => checks.update({ ...changed, revision: 2 }, noon));
    const found = await store.checks.find(alice.id, "changed");
    assert.equal(found?.check.runRevision, 2);
    const old = aFlip(check.no, { revision: 1 });
    assert.equal(await store.write(({ states }) => states.flip(old)), false);
    await store.append(aResult(check.no, noon + minute, { revision: 2 }));
    const results = await Array.fromAsync(
      store.results.page({
        checkNo: check.no,
        from: 0,
        to: noon + minute,
        limit: 2,
        order: "oldest",
      }),
    );
    assert.deepEqual(
      results.flat().map(({ timeoutSeconds }) => timeoutSeconds),
      [check.timeoutSeconds, 9],
    );
    const again = { ...changed, timeoutSeconds: 10, revision: 3, runRevision: 3 };
    await store.write(({ checks }) => checks.update(again, noon));
    assert.equal((await store.checks.find(alice.id, "changed"))?.check.runRevision, 3);
  });
}

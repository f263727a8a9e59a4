import assert from "node:assert/strict";
import { test } from "node:test";

import { alice } from "../../../test/record-builders.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";

test("a receiver of changes that throws keeps neither the commit nor the other receivers waiting", async () => {
  await using store = await tempStore({ hasThread: true });
  const received: unknown[] = [];
  store.changes.subscribe(() => {
    throw new Error("no more");
  });
  store.changes.subscribe((change) => received.push(change));
  await store.write(async ({ accounts, changes }) => {
    await accounts.insert(alice);
    await changes.record({ accountId: alice.id, checkNo: 7 });
  });
  await store.write(({ changes }) => changes.record({ accountId: alice.id, checkNo: undefined }));
  const { id: accountId } = alice;
  assert.deepEqual(received, [
    { accountId, checkNo: 7 },
    { accountId, checkNo: undefined },
  ]);
});

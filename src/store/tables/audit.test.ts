import assert from "node:assert/strict";
import { test } from "node:test";

import { alice, carol, noon } from "../../../test/record-builders.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";
import type { AuditEntry } from "../../domain/account/audit.ts";

test("the newest ten thousand entries of an account are kept, a hundred more at most", async () => {
  await using store = await tempStore();
  const entry: AuditEntry = {
    accountId: alice.id,
    at: noon,
    actor: undefined,
    client: "",
    operation: "PUT checks",
    recordId: undefined,
    fields: [],
  };
  await store.write(async ({ accounts, audit }) => {
    for (const account of [alice, carol]) await accounts.insert(account);
    await audit.insert({ ...entry, accountId: carol.id });
    for (let inserted = 0; inserted < 10_250; inserted += 1) await audit.insert(entry);
  });
  const listed = (accountId: string) =>
    store.audit.list({ accountId, before: undefined, limit: 20_000 });
  const kept = await listed(alice.id);
  assert.ok(kept.length >= 10_000 && kept.length <= 10_100, String(kept.length));
  assert.equal(kept[0]?.seq, 10_251);
  assert.equal((await listed(carol.id)).length, 1);
});

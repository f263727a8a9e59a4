import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck, alice, carol, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

export function importContract(open: OpenStore): void {
  test("an address of another system leads to one check of one account, and goes with it", async () => {
    await using store = await open();
    const [check, other] = await store.write(async ({ checks }) => [
      await checks.insert(aCheck("check")),
      await checks.insert(aCheck("other", { accountId: carol.id })),
    ]);
    const alias = {
      digest: "a",
      checkNo: check?.no ?? assert.fail(),
      system: "healthchecks",
      hint: "31…",
      createdAt: noon,
    } as const;
    const insert = (changes: object): Promise<boolean> =>
      store.write(({ heartbeatAliases }) => heartbeatAliases.insert({ ...alias, ...changes }));
    assert.equal(await insert({}), true);
    assert.equal(await insert({ checkNo: other?.no }), false);
    assert.equal(await insert({ digest: "b", createdAt: noon - 1 }), true);
    const { heartbeatAliases } = store;
    assert.deepEqual(await heartbeatAliases.find("a"), { ...alias, checkId: "check" });
    assert.equal(await heartbeatAliases.find("c"), undefined);
    const older = { ...alias, digest: "b", createdAt: noon - 1 };
    assert.deepEqual(await heartbeatAliases.listOf(alias.checkNo), [older, alias]);
    assert.deepEqual(
      (await heartbeatAliases.list(alice.id)).map(({ digest }) => digest),
      ["b", "a"],
    );
    assert.deepEqual(await heartbeatAliases.list(carol.id), []);
    await store.write((tx) => tx.heartbeatAliases.remove("b"));
    assert.deepEqual(await heartbeatAliases.listOf(alias.checkNo), [alias]);
    await store.write(({ checks }) => checks.remove(alice.id, "check", noon));
    assert.equal(await heartbeatAliases.find("a"), undefined);
  });

  test("which record of another system a record was is noted by account and system, the last of each", async () => {
    await using store = await open();
    const record = {
      accountId: alice.id,
      origin: "uptime-kuma",
      kind: "check",
      originId: "12",
      recordId: "first",
    } as const;
    await store.write(async ({ importedRecords }) => {
      await importedRecords.put(record);
      await importedRecords.put({ ...record, recordId: "second" });
      await importedRecords.put({ ...record, kind: "contact" });
      await importedRecords.put({ ...record, accountId: carol.id });
      await importedRecords.put({ ...record, origin: "gatus" });
    });
    assert.deepEqual(await store.importedRecords.list(alice.id, "uptime-kuma"), [
      { ...record, recordId: "second" },
      { ...record, kind: "contact" },
    ]);
    assert.equal(await store.importedRecords.count(alice.id), 3);
    assert.deepEqual(await store.importedRecords.list(carol.id, "healthchecks"), []);
  });
}

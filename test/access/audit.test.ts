import assert from "node:assert/strict";
import { test } from "node:test";

import { callAsAlice, calledOperations } from "./called-operations.ts";
import { idOf } from "../stores/account-fixture.ts";
import { createApiFixture } from "../api-fixture.ts";
import { createFuzzServer } from "../fuzz/fuzz-server.ts";
import { storedRows } from "../fuzz/stored-rows.ts";

/** An id of the same form that no record has. */
function unknownIdLike(id: string): string {
  return `${id.slice(0, -1)}${id.endsWith("X") ? "Y" : "X"}`;
}

/** Operations that change nothing as called here: an account does not delete itself, a test only sends or runs, and a bulk change matches no check. */
const withoutChange = new Set(["BULK checks", "DELETE accounts", "TEST checks", "TEST contacts"]);

test("every operation that changes an account leaves one entry in its audit log, and no other does", async (context) => {
  await using site = await createFuzzServer();
  const { store, alice } = site.cast;
  const accountId = alice.account.id;
  const by = { token: alice.token };
  const rows = (): readonly string[] =>
    storedRows(store.directory, accountId).filter((row) => !row.includes('"actor_kind"'));
  const newest = async (before = 0) =>
    (await store.audit.list({ accountId, before: undefined, limit: 100 })).filter(
      ({ seq }) => seq > before,
    );
  for (const operation of calledOperations) {
    await context.test(operation.name, async () => {
      const id = idOf(site.records().alice, operation.kind);
      const [last] = await newest();
      const before = rows();
      const { status, body } = await callAsAlice(site, operation, by);
      const added = await newest(last?.seq);
      if (operation.effect === "read" || withoutChange.has(operation.name)) {
        assert.deepEqual([rows(), added], [before, []]);
        return;
      }
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(
        added.map((entry) => [entry.operation, entry.actor?.name, entry.client]),
        [[operation.name, "test", "127.0.0.1"]],
      );
      const [entry] = added;
      assert.ok(
        JSON.stringify([body, id]).includes(entry?.recordId ?? "nothing"),
        entry?.recordId ?? "",
      );
      for (const name of Object.keys(operation.sends))
        assert.ok(entry?.fields.includes(name), name);
    });
    await site.recreateRecords();
    const isFound = operation.effect === "write" && !operation.name.startsWith("POST");
    if (!isFound || operation.kind === "account" || operation.kind === "schedule") continue;
    const [last] = await newest();
    const unknown = unknownIdLike(idOf(site.records().alice, operation.kind));
    const { status } = await callAsAlice(site, operation, { ...by, id: unknown });
    if (status !== 200) assert.deepEqual(await newest(last?.seq), [], operation.name);
  }
});

test("the audit log has the names of what was sent, and no values, and an owner reads it in pages", async () => {
  await using cast = await createApiFixture();
  const sent = { type: "SMTP", target: "mail.example", password: "hunter22", nonsense: 1 };
  const { body: check } = await cast.ask(cast.alice, "POST /checks", sent);
  await cast.ask(cast.alice, `DELETE /checks/${check._id}`);
  const { body, text } = await cast.ask(cast.alice, "GET /audit");
  assert.ok(!text.includes("hunter22"), text);
  const [deleted, created] = body;
  assert.deepEqual(
    [deleted.operation, deleted.record, deleted.fields],
    ["DELETE checks", check._id, []],
  );
  assert.deepEqual(created, {
    number: deleted.number - 1,
    at: cast.clock.now(),
    by: "token",
    actor: created.actor,
    name: "test",
    from: "127.0.0.1",
    operation: "POST checks",
    record: check._id,
    fields: ["type", "target", "password"],
  });
  const next = await cast.ask(cast.alice, "GET /audit", { before: deleted.number, limit: 1 });
  assert.deepEqual(next.body, [created]);
  const numbersOf = async (filter: object): Promise<readonly number[]> =>
    (await cast.ask(cast.alice, "GET /audit", filter)).body.map(
      (entry: { number: number }) => entry.number,
    );
  const both = [deleted.number, created.number];
  assert.deepEqual(await numbersOf({ by: "token", record: check._id }), both);
  for (const filter of [{ by: "operator" }, { resource: "contacts" }, { record: "x" }])
    assert.deepEqual(await numbersOf(filter), [], JSON.stringify(filter));
  assert.deepEqual(await numbersOf({ resource: "checks", limit: 1 }), [deleted.number]);
  assert.equal((await cast.ask(cast.alice, "GET /audit", { resource: "%" })).status, 400);
  assert.deepEqual((await cast.ask(cast.carol, "GET /audit")).body, []);
});

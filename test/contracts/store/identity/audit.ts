import assert from "node:assert/strict";
import { test } from "node:test";

import type { AuditEntry } from "../../../../src/domain/account/audit.ts";
import { alice, carol, noon } from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";

function anEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    accountId: alice.id,
    at: noon,
    actor: { kind: "session", id: "0123456789ab", name: "Ann", contactId: "ann" },
    client: "192.0.2.1",
    operation: "PUT checks",
    recordId: "check",
    fields: ["label", "password"],
    ...changes,
  };
}

export function auditContract(open: OpenStore): void {
  test("entries of the audit log come back as they were given, the newest first, and only to their account", async () => {
    await using store = await open();
    const entries = [
      anEntry(),
      anEntry({
        actor: { kind: "token", id: "ba9876543210", name: "ci", contactId: undefined },
        at: noon - 1,
      }),
      anEntry({ actor: undefined, client: "", recordId: undefined, fields: [] }),
      anEntry({
        actor: { kind: "link", id: "x", name: "y", contactId: undefined },
        changes: [{ field: "interval", before: 5, after: 1 }, { field: "password" }],
      }),
    ];
    await store.write(async ({ audit }) => {
      for (const entry of entries) await audit.insert(entry);
      await audit.insert(anEntry({ accountId: carol.id }));
    });
    const list = (before?: number, limit = 9) =>
      store.audit.list({ accountId: alice.id, before, limit });
    const found = await list();
    assert.deepEqual(
      found,
      entries.toReversed().map((entry, at) => ({ ...entry, seq: found[at]?.seq })),
    );
    const [newest, ...older] = found;
    assert.deepEqual(await list(newest?.seq, 1), older.slice(0, 1));
    const narrowed = async (filter: object): Promise<readonly number[]> => {
      const wanted = { accountId: alice.id, before: undefined, limit: 9, ...filter };
      return (await store.audit.list(wanted)).map(({ seq }) =>
        found.findIndex((each) => each.seq === seq),
      );
    };
    assert.deepEqual(await narrowed({ by: "operator" }), [1]);
    assert.deepEqual(await narrowed({ by: "token" }), [2]);
    assert.deepEqual(await narrowed({ resource: "checks", recordId: "check" }), [0, 2, 3]);
    assert.deepEqual(await narrowed({ resource: "hecks" }), []);
  });

  test("a unit that fails leaves no entry", async () => {
    await using store = await open();
    const failing = store.write(async ({ audit }) => {
      await audit.insert(anEntry());
      throw new Error("no");
    });
    await assert.rejects(failing, /no/);
    assert.deepEqual(
      await store.audit.list({ accountId: alice.id, before: undefined, limit: 9 }),
      [],
    );
  });

  test("what happens again is counted in one entry, of each record and span of time", async () => {
    await using store = await open();
    const count = (changes: Partial<AuditEntry>, since: number) =>
      store.write(({ audit }) => audit.count({ ...anEntry(changes) }, since));
    const at = anEntry().at;
    await count({ recordId: "ann" }, at - 10);
    await count({ recordId: "ann", client: "192.0.2.9" }, at - 1);
    await count({ recordId: "ben" }, at - 10);
    await count({ recordId: "ann", at: at + 10 }, at);
    const found = await store.audit.list({ accountId: alice.id, before: undefined, limit: 9 });
    assert.deepEqual(
      found.map(({ recordId, fields }) => [recordId, ...fields]),
      [
        ["ann", "times: 1"],
        ["ben", "times: 1"],
        ["ann", "times: 2"],
      ],
    );
    assert.equal(found[2]?.client, "192.0.2.9");
  });
}

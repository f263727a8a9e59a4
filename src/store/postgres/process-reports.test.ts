import assert from "node:assert/strict";
import { test } from "node:test";

import { sql } from "kysely";

import { migratedDatabase, testServer } from "../../../test/stores/postgres-store.ts";
import { SHARDS } from "../../domain/shard.ts";
import { createControllerRows } from "./leases/controller-rows.ts";
import { createProcessReports } from "./process-reports.ts";

const server = testServer();

const mailServer = { name: "mail_server", subject: "", found: "it refuses", since: 1 } as const;

test("processes read each other's problems for as long as they report", async () => {
  const db = await migratedDatabase(server());
  const [api, notifier] = [createProcessReports(db), createProcessReports(db)];
  const report = { id: "notifier", host: "two", problems: [mailServer] };
  assert.deepEqual((await notifier.exchange(report)).others, []);
  const own = { id: "api", host: "one", problems: [] };
  assert.deepEqual((await api.exchange(own)).others, [report]);
  await notifier.exchange({ ...report, problems: [] });
  assert.deepEqual((await api.exchange(own)).others, [{ ...report, problems: [] }]);
  await sql`update process_reports set reported_at = now_ms() - 21000 where id = 'notifier'`.execute(
    db,
  );
  assert.deepEqual((await api.exchange(own)).others, []);
});

test("shards are uncontrolled without an owner, and once their owner renews its lease no longer", async () => {
  const db = await migratedDatabase(server());
  const reports = createProcessReports(db);
  const uncontrolled = async (): Promise<number> => {
    const state = await reports.exchange({ id: "api", host: "one", problems: [] });
    return state.uncontrolledShards.length;
  };
  assert.equal(await uncontrolled(), SHARDS);
  const rows = createControllerRows(db);
  const renewal = { id: "controller", busOk: true, heldMs: 3300 };
  await rows.register(renewal);
  await rows.claim(renewal.id, 200);
  assert.equal(await uncontrolled(), SHARDS - 200);
  await rows.renew(renewal);
  assert.equal(await uncontrolled(), SHARDS - 200);
  assert.equal(await uncontrolled(), SHARDS, "it did not renew in between");
  await rows.renew(renewal);
  assert.equal(await uncontrolled(), SHARDS - 200);
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { Client } from "pg";

import { aCheck, alice, aResult, minute, noon } from "../../../../test/record-builders.ts";
import { postgresProgram } from "../../../../test/servers/postgres.ts";
import {
  emptyDatabase,
  testDatabase,
  testServer,
  type TestDatabase,
} from "../../../../test/stores/postgres-store.ts";
import { waitFor } from "../../../../test/time/wait-for.ts";
import { fakeClock } from "../../../../test/time/fake-clock.ts";
import { systemClock } from "../../../kit/clock.ts";
import { createSealer } from "../../../kit/crypto/seal.ts";
import { Secret } from "../../../kit/crypto/secret.ts";
import { silentLog } from "../../../kit/log.ts";
import type { Store } from "../../store.ts";
import { kyselyOver } from "../dialect.ts";
import { createPool } from "../pool.ts";
import { DAY_MS, listPartitions } from "./catalog.ts";
import { openDatabase } from "../open-database.ts";

const server = testServer();

const today = noon - (noon % DAY_MS);

/** A store with a check, and a connection of a stranger to its database. */
async function scene() {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await testDatabase(server()));
  const store = await database.open();
  const { no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    return tx.checks.insert(aCheck("check"));
  });
  const db = kyselyOver(createPool({ url: new Secret(database.url), most: 2 }));
  opening.defer(() => db.destroy());
  const stranger = await connected(database.url);
  opening.defer(() => stranger.end());
  const opened = opening.move();
  return {
    database,
    store,
    no,
    stranger,
    states: async () =>
      new Map((await listPartitions(db)).map(({ day, state }) => [(day - today) / DAY_MS, state])),
    append: (...starts: readonly number[]) =>
      Promise.all(starts.map((at) => store.append(aResult(no, at)))),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function startsOf(store: Store, checkNo: number): Promise<readonly number[]> {
  const query = { checkNo, from: 0, to: Number.MAX_SAFE_INTEGER, limit: 999 } as const;
  const pages = await Array.fromAsync(store.results.page({ ...query, order: "oldest" }));
  return pages.flat().map(({ startedAt }) => startedAt);
}

async function pass(database: TestDatabase, ms: number): Promise<void> {
  await database.clock.advance(ms);
  await database.setClock(database.clock.now());
}

const nextDay = 13 * 60 * minute;

test("there are partitions for this day and a week to come, and readiness says when tomorrow's is missing", async () => {
  await using own = await scene();
  const { store, database } = own;
  assert.deepEqual([...(await own.states()).keys()], [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(store.partitionsAhead(), 7);
  await pass(database, 6 * DAY_MS);
  assert.equal(store.housekeepingError(), undefined);
  await pass(database, DAY_MS);
  assert.equal(store.partitionsAhead(), 0);
  assert.match(store.housekeepingError() ?? "", /^the table of results has no partition for 20/);
  await store.runHousekeeping();
  assert.equal(store.housekeepingError(), undefined);
  assert.equal(store.partitionsAhead(), 7);
});

test("while a reader is in the table for long, partitions are made and results stored, and none is dropped until it ends", async () => {
  await using own = await scene();
  const { store, stranger, database, no } = own;
  await own.append(noon);
  await stranger.query("begin");
  await stranger.query("select count(*), pg_sleep(1.1) from results");
  await pass(database, nextDay);
  await store.runHousekeeping();
  assert.equal((await own.states()).get(0), "attached");
  assert.equal((await own.states()).get(8), "attached");
  await own.append(noon + nextDay, noon + 8 * DAY_MS);
  // After it was packed, and before its partition goes.
  await own.append(noon + minute);
  await stranger.query("commit");
  await store.runHousekeeping();
  assert.equal((await own.states()).has(0), false);
  const all = [noon, noon + minute, noon + nextDay, noon + 8 * DAY_MS];
  assert.deepEqual(await startsOf(store, no), all);
  assert.equal(await database.count("stray_results"), 2, "the day was one row when it was packed");
  await pass(database, DAY_MS);
  await store.runHousekeeping();
  assert.equal(await database.count("stray_results"), 0);
  assert.deepEqual(await startsOf(store, no), all);
});

test("nobody waits for a partition that is being detached, and one whose process died meanwhile is detached by another", async () => {
  await using own = await scene();
  const { store, stranger, database, no } = own;
  await own.append(noon);
  await pass(database, nextDay);
  await stranger.query("begin");
  await stranger.query("select count(*) from results");
  const removing = store.runHousekeeping();
  await waitFor("it waits for the reader", async () => (await own.states()).get(0) === "detaching");
  // This process knows the partition yet.
  await own.append(noon + minute, noon + nextDay);
  const other = await database.open();
  await other.append(aResult(no, noon + 2 * minute));
  assert.deepEqual(await startsOf(other, no), [
    noon,
    noon + minute,
    noon + 2 * minute,
    noon + nextDay,
  ]);
  await other.runHousekeeping();
  await stranger.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'alter table results detach%' and pid <> pg_backend_pid()",
  );
  await removing;
  assert.equal((await own.states()).get(0), "detaching");
  await stranger.query("commit");
  await other.runHousekeeping();
  assert.equal((await own.states()).has(0), false);
  assert.deepEqual(await startsOf(store, no), [
    noon,
    noon + minute,
    noon + 2 * minute,
    noon + nextDay,
  ]);
});

test("a result of a day without a partition is stored and packed as any other, and its neighbours in the batch are", async () => {
  await using own = await scene();
  const { store, database, no } = own;
  const far = noon + 300 * DAY_MS;
  const long = noon - 300 * DAY_MS;
  await own.append(noon, far, long, noon + 1, long + 1);
  const all = [long, long + 1, noon, noon + 1, far];
  assert.deepEqual(await startsOf(store, no), all);
  assert.equal((await store.results.last(no))?.startedAt, far);
  await pass(database, nextDay);
  await store.runHousekeeping();
  assert.equal(await database.count("packed_days"), 2);
  assert.equal(await database.count("all_results"), 1);
  assert.deepEqual(await startsOf(store, no), all);
});

test("results of one day at its end, whose partition was dropped while the clock was ahead, are all kept", async () => {
  await using own = await scene();
  const { store, database, no } = own;
  await own.append(noon);
  await database.setClock(noon + 40 * DAY_MS);
  await store.runHousekeeping();
  assert.equal((await own.states()).has(0), false);
  await database.setClock(noon + minute);
  await store.runHousekeeping();
  assert.equal((await own.states()).get(0), "attached");
  // As many as were packed of the former partition.
  await own.append(noon + minute);
  await pass(database, nextDay);
  await store.runHousekeeping();
  assert.equal((await own.states()).has(0), false);
  assert.deepEqual(await startsOf(store, no), [noon, noon + minute]);
});

test("several processes make, pack and drop at the same time, and none fails", async () => {
  await using own = await scene();
  const { database, store, no } = own;
  const stores = [store, await database.open(), await database.open()];
  const stored: number[] = [];
  for (let days = 0; days < 5; days += 1) {
    for (const [index, each] of stores.entries()) {
      const startedAt = noon + days * DAY_MS + index;
      await each.append(aResult(no, startedAt));
      stored.push(startedAt);
    }
    await pass(database, DAY_MS);
    await Promise.all(stores.map((each) => each.runHousekeeping()));
  }
  await store.runHousekeeping();
  assert.equal(store.partitionsAhead(), 7);
  assert.equal((await own.states()).has(3), false);
  assert.deepEqual(await startsOf(store, no), stored);
});

test("what pg_dump wrote is an installation again, in which changes are passed on", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "watchpost-"));
  const sealer = createSealer(new Uint8Array(32).fill(1));
  const clock = fakeClock();
  const open = (url: string) =>
    openDatabase({ clock, sealer, log: silentLog, connections: 3, url: new Secret(url) });
  const [from, to] = [await emptyDatabase(server()), await emptyDatabase(server())];
  const store = await open(from);
  const { no } = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.changes.record({ accountId: "ALICE", checkNo: undefined });
    return tx.checks.insert(aCheck("check"));
  });
  const starts = [noon, systemClock.now(), systemClock.now() + DAY_MS];
  for (const startedAt of starts) await store.append(aResult(no, startedAt));
  await store.close();
  const file = join(folder.path, "dump");
  const run = promisify(execFile);
  await run(postgresProgram("pg_dump"), ["--format=custom", `--file=${file}`, from]);
  await run(postgresProgram("pg_restore"), ["--exit-on-error", `--dbname=${to}`, file]);
  const stranger = await connected(to);
  // As from a server that had done more transactions.
  await stranger.query("update changes set xid = '999999999999'");
  const restored = await open(to);
  const { rows } = await stranger.query("select from changes");
  assert.equal(rows.length, 0);
  await stranger.end();
  assert.equal(restored.partitionsAhead(), 7);
  assert.deepEqual(await startsOf(restored, no), starts);
  const passedOn: unknown[] = [];
  restored.changes.subscribe((change) => void passedOn.push(change));
  const change = { accountId: "BOB", checkNo: undefined };
  await restored.write((tx) => tx.changes.record(change));
  assert.deepEqual(passedOn, [change]);
  await restored.close();
});

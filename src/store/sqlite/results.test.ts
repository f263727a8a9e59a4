import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import * as fc from "fast-check";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { aCheck, alice, aResult, minute, noon } from "../../../test/record-builders.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";
import { reasons } from "../../domain/run/outcome.ts";
import type { Result } from "../../domain/run/result.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import type { ResultQuery } from "../results.ts";
import type { Store } from "../store.ts";
import { fromRow, toRow } from "./result-row.ts";
import { openReader } from "./open-database.ts";
import { createResults } from "./results.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { openConnection } from "./thread/connection.ts";
import type { Statement } from "./thread/protocol.ts";
import type { Statements } from "./thread/write-connection.ts";

const noRows = { columns: undefined, rows: [], changes: 0, lastInsertRowid: 0 };

const DAY_MS = 86_400_000;
const everything = {
  from: 0,
  to: Number.MAX_SAFE_INTEGER,
  limit: 100_000,
  order: "newest",
} as const;

async function starts(
  store: Store,
  query: Partial<ResultQuery> & { checkNo: number },
): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const page of store.results.page({ ...everything, ...query }))
    found.push(...page.map(({ startedAt }) => startedAt));
  return found;
}

async function withCheck(store: Store): Promise<number> {
  return store.write(async (tx) => {
    await tx.accounts.insert(alice);
    const { no } = await tx.checks.insert(aCheck("CHECK"));
    return no;
  });
}

/** Everything in memory goes to its day's table. */
async function fold(store: Store, clock: ReturnType<typeof fakeClock>): Promise<void> {
  await clock.advance(600_000);
  await store.runHousekeeping();
}

test("a result comes back from a row as it went in", () => {
  const result = fc.record<Result>({
    checkNo: fc.nat(),
    revision: fc.nat(),
    tick: fc.integer({ min: noon - 1e9, max: noon }),
    startedAt: fc.integer({ min: noon, max: noon + 1e9 }),
    endedAt: fc.integer({ min: noon + 1e9, max: noon + 2e9 }),
    passed: fc.boolean(),
    reason: fc.constantFrom(...reasons),
    text: fc.string(),
    message: fc.string(),
    runtimeMs: fc.nat(),
    location: fc.string(),
    earlierRuns: fc.array(fc.tuple(fc.nat(), fc.string(), fc.boolean())),
    timings: fc.constantFrom(
      undefined,
      { total: 12.3 },
      { dns: 0.1, connect: 2, tls: 3.5, firstByte: 9, total: 12.3 },
    ),
  });
  fc.assert(fc.property(result, (kept) => assert.deepEqual(fromRow(toRow(kept)), { ...kept })));
});

test("results read the same before, during and after they are folded into their days", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const checkNo = await withCheck(store);
  const times = Array.from({ length: 1500 }, (_, index) => noon + index * minute);
  await Promise.all(times.map((at) => store.append(aResult(checkNo, at))));
  assert.deepEqual(await starts(store, { checkNo, order: "oldest" }), times);
  const folded = fold(store, clock);
  assert.deepEqual(await starts(store, { checkNo, order: "oldest" }), times);
  await folded;
  assert.deepEqual(await starts(store, { checkNo, order: "oldest" }), times);
  assert.deepEqual(await starts(store, { checkNo }), times.toReversed());
  assert.equal((await store.results.last(checkNo))?.startedAt, times.at(-1));
});

test("a range takes both its ends, across the border of a day and of memory", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const checkNo = await withCheck(store);
  const times = Array.from({ length: 50 }, (_, index) => noon + index * 3_600_000);
  for (const at of times.slice(0, 40)) await store.append(aResult(checkNo, at));
  await fold(store, clock);
  for (const at of times.slice(40)) await store.append(aResult(checkNo, at));
  const wanted = times.slice(5, 46);
  assert.deepEqual(
    await starts(store, { checkNo, from: wanted[0] ?? 0, to: wanted.at(-1) ?? 0 }),
    wanted.toReversed(),
  );
  assert.deepEqual(
    await starts(store, { checkNo, from: wanted[0] ?? 0, limit: 3, order: "oldest" }),
    wanted.slice(0, 3),
  );
});

test("what was acknowledged is there after a crash, also in the middle of a fold", async () => {
  const clock = fakeClock();
  const sealer = createSealer(randomBytes(32));
  await using store = await tempStore({ hasThread: true, clock, sealer });
  const checkNo = await withCheck(store);
  const times = Array.from({ length: 20 }, (_, index) => noon + index);
  for (const at of times) await store.append(aResult(checkNo, at));
  await using crashed = await imageOf(store.directory);
  // As if killed after the days were written and before the journal was emptied.
  const database = new DatabaseSync(join(crashed.directory, "watchpost.db"));
  const journal = database.prepare("SELECT id, results FROM result_journal").all();
  database.close();
  const folded = await openSqliteStore({
    directory: crashed.directory,
    clock,
    sealer,
    log: silentLog,
  });
  await fold(folded, clock);
  await folded.close();
  const writable = new DatabaseSync(join(crashed.directory, "watchpost.db"));
  for (const { id, results } of journal)
    writable.prepare("INSERT INTO result_journal VALUES (?, ?)").run(Number(id), String(results));
  writable.close();
  const again = await openSqliteStore({
    directory: crashed.directory,
    clock,
    sealer,
    log: silentLog,
  });
  assert.deepEqual(await starts(again, { checkNo, order: "oldest" }), times);
  await fold(again, clock);
  assert.deepEqual(await starts(again, { checkNo, order: "oldest" }), times);
  await again.close();
});

test("a commit that failed before a compaction takes no result along that is acknowledged during it", async () => {
  await using store = await tempStore({ hasThread: true });
  const path = join(store.directory, "watchpost.db");
  using connection = openConnection(path);
  using reader = openReader(path);
  const insert = ({ sql, parameters }: Statement): number =>
    Number(connection.prepare(sql).run(...parameters).lastInsertRowid);
  const writer: Statements = {
    execute: (statement) => Promise.resolve({ ...noRows, lastInsertRowid: insert(statement) }),
    executeMany: () => Promise.resolve(),
  };
  const sealer = createSealer(new Uint8Array(32));
  const deps = { writer, reader, sealer, log: silentLog, meter: noMeter };
  const results = createResults(deps);
  connection.exec("BEGIN");
  insert(results.storeResults([aResult(1, noon)]));
  connection.exec("ROLLBACK");
  const chunks = results.beginCompaction();
  const acknowledged = [aResult(1, noon + 1)];
  results.addCommitted(acknowledged, insert(results.storeResults(acknowledged)));
  for (const { results: moved, write, committed } of chunks) {
    await write(moved);
    committed(moved);
  }
  const again = createResults(deps);
  assert.equal((await again.last(1))?.startedAt, noon + 1);
});

// guard: one process on a data folder
test("a database is not opened twice, nor with another instance key", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const open = (directory: string): Promise<Store> =>
    openSqliteStore({ directory, clock, sealer: createSealer(randomBytes(32)), log: silentLog });
  await assert.rejects(async () => open(store.directory), /another watchpost is running/);
  await using copy = await imageOf(store.directory);
  await assert.rejects(async () => open(copy.directory), /another instance key/);
});

test("a file that is no database is refused with a sentence", async () => {
  const directory = await mkdtemp(join(tmpdir(), "watchpost-"));
  await writeFile(
    join(directory, "watchpost.db"),
    "not a database, but long enough to be looked at".repeat(100),
  );
  const open = (): Promise<Store> =>
    openSqliteStore({
      directory,
      clock: fakeClock(),
      sealer: createSealer(randomBytes(32)),
      log: silentLog,
    });
  await assert.rejects(
    async () => open(),
    /cannot be opened: the database is damaged \(file is not a database\)/,
  );
  await rm(directory, { recursive: true });
});

/** The files as a crash would leave them: copied while they are in use. */
async function imageOf(
  directory: string,
): Promise<AsyncDisposable & { readonly directory: string }> {
  const copy = await mkdtemp(join(tmpdir(), "watchpost-"));
  await cp(directory, copy, { recursive: true });
  return { directory: copy, [Symbol.asyncDispose]: () => rm(copy, { recursive: true }) };
}

test("each result carries what the check was when it ran", async () => {
  await using store = await tempStore({ hasThread: true });
  const checkNo = await withCheck(store);
  await store.append(aResult(checkNo, noon, { revision: 1 }));
  const record = await store.checks.find(alice.id, "CHECK");
  assert.ok(record);
  const changed = {
    ...record.check,
    parameters: { target: "https://user:secret@two.example.net/" },
    intervalMinutes: 5,
    runRevision: 2,
  };
  await store.write((tx) => tx.checks.update(changed, noon));
  await store.append(aResult(checkNo, noon + minute, { revision: 2 }));
  for await (const page of store.results.page({ ...everything, checkNo })) {
    assert.deepEqual(
      page.map(({ target, intervalMinutes, type, timeoutSeconds }) => ({
        target,
        intervalMinutes,
        type,
        timeoutSeconds,
      })),
      [
        { target: "https://two.example.net/", intervalMinutes: 5, type: "PORT", timeoutSeconds: 5 },
        { target: "host.example.net", intervalMinutes: 1, type: "PORT", timeoutSeconds: 5 },
      ],
    );
  }
});

/** Lets the service run for some days. */
async function runDays(store: Store, clock: ReturnType<typeof fakeClock>, days: number) {
  for (let day = 0; day < days; day += 1) {
    await clock.advance(DAY_MS);
    await store.runHousekeeping();
  }
}

test("a day goes whole once the service has run for 31 days after it, and one more, and no sooner", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const checkNo = await withCheck(store);
  await store.append(aResult(checkNo, noon));
  await store.append(aResult(checkNo, noon + DAY_MS));
  await fold(store, clock);
  await runDays(store, clock, 32);
  assert.equal((await starts(store, { checkNo })).length, 2);
  await runDays(store, clock, 1);
  assert.deepEqual(await starts(store, { checkNo }), [noon + DAY_MS]);
  assert.equal(store.count("packed_days"), 1);
  assert.equal(store.count("sqlite_master WHERE name LIKE 'results_2%'"), 0);
});

test("the log is written back and begun anew, so that the disk does not fill with it", async () => {
  const clock = fakeClock();
  await using store = await tempStore({ hasThread: true, clock });
  const checkNo = await withCheck(store);
  await growLog(store, checkNo);
  const logBytes = (): number => statSync(join(store.directory, "watchpost.db-wal")).size;
  assert.ok(logBytes() > 16 * 1024 * 1024);
  await store.runHousekeeping();
  assert.ok(logBytes() < 100_000, `${logBytes()} bytes in ${readdirSync(store.directory).join()}`);
  await store.append(aResult(checkNo, noon + 1e6));
  assert.equal((await starts(store, { checkNo, limit: 1 }))[0], noon + 1e6);
});

test("a log that a killed process left too long is written back when the next one starts", async () => {
  const clock = fakeClock();
  const sealer = createSealer(randomBytes(32));
  await using store = await tempStore({ hasThread: true, clock, sealer });
  const checkNo = await withCheck(store);
  await growLog(store, checkNo);
  const directory = await mkdtemp(join(tmpdir(), "watchpost-"));
  await cp(store.directory, directory, { recursive: true });
  const reopened = await openSqliteStore({ directory, clock, sealer, log: silentLog });
  assert.ok(statSync(join(directory, "watchpost.db-wal")).size < 100_000);
  assert.equal((await starts(reopened, { checkNo })).length, 20_000);
  await reopened.close();
  await rm(directory, { recursive: true });
});

/** Stores 20,000 results, which make the log longer than it is to be. */
async function growLog(store: Store, checkNo: number): Promise<void> {
  const message = "x".repeat(1000);
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        store.append(aResult(checkNo, noon + round * 1000 + index, { message })),
      ),
    );
  }
}

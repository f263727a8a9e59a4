import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { sql } from "kysely";
import { Pool, types } from "pg";

import type { Result } from "../src/domain/run/result.ts";
import { systemClock } from "../src/kit/clock.ts";
import { createSealer } from "../src/kit/crypto/seal.ts";
import { silentLog } from "../src/kit/log.ts";
import { kyselyOver, parsersWithNumbers } from "../src/store/postgres/dialect.ts";
import { migrate } from "../src/store/postgres/migrate.ts";
import { createPartitions } from "../src/store/postgres/partitions/make-partitions.ts";
import { openPostgresStore } from "../src/store/postgres/postgres-store.ts";
import { packDay } from "../src/store/results/pack-day.ts";
import { startOfDay } from "../src/store/results/packing.ts";
import { repack } from "../src/store/results/repack.ts";
import { unpackDay } from "../src/store/results/unpack-day.ts";
import type { Store } from "../src/store/store.ts";
import { aCheck, alice, aResult } from "../test/record-builders.ts";
import { postgres } from "../test/servers/postgres.ts";
import { dataFolder, fill, median, openStore } from "./fixture.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const MINUTES = 1440;
const CHECKS = 30;
const ROUNDS = 20;

/** Long enough ago to be packed, by every clock. */
const day = Math.floor(systemClock.now() / DAY_MS - 2) * DAY_MS;

/** Around `middle`, seldom far from it. */
function about(middle: number, spread: number): number {
  const sum = Array.from({ length: 6 }, () => Math.random() - 0.5).reduce(
    (one, next) => one + next,
  );
  return Math.max(0, Math.round(middle + spread * sum));
}

interface Tick {
  readonly checkNo: number;
  readonly tick: number;
}

/** Creates a result that started some ms late, with this duration. */
function begun({ checkNo, tick }: Tick, tookMs: number): Result {
  const startedAt = tick + about(6, 6);
  return aResult(checkNo, startedAt, { tick, endedAt: startedAt + tookMs, runtimeMs: tookMs });
}

function overHttps(at: Tick): Result {
  const dns = about(2, 2);
  const connect = dns + about(20, 4);
  const tls = connect + about(25, 5);
  const firstByte = tls + about(60, 25);
  const total = firstByte + about(2, 2);
  const timings = { dns, connect, tls, firstByte, total };
  const location = Math.random() < 0.01 ? "ny" : "ld";
  const shown = { text: "200", message: "Success", location, timings };
  return { ...begun(at, total + about(0.5, 0.5)), ...shown };
}

function failing(at: Tick): Result {
  if (Math.random() > 0.25) return overHttps(at);
  const result = begun(at, about(200, 60));
  return {
    ...result,
    passed: false,
    reason: "status",
    text: "503",
    message: "HTTP status returned: 503",
    earlierRuns: [
      [result.startedAt - about(2400, 200), "ld", false],
      [result.startedAt - about(1200, 100), "ny", false],
    ],
  };
}

function ping(at: Tick): Result {
  const runtimeMs = about(20, 5);
  const shown = { text: String(runtimeMs), message: "192.0.2.17", runtimeMs };
  return { ...begun(at, runtimeMs + about(3, 2)), ...shown };
}

function heartbeat({ checkNo, tick }: Tick): Result {
  const at = tick + about(100, 100);
  return aResult(checkNo, at, {
    endedAt: at,
    runtimeMs: 0,
    message: "Heartbeat received",
    location: "push",
  });
}

const kinds: Readonly<Record<string, (at: Tick) => Result>> = {
  "HTTP over TLS": overHttps,
  "of these 25 % failing": failing,
  PING: ping,
  PUSH: heartbeat,
};

/** A day of minutes, in the order of time. */
function resultsOf(make: (at: Tick) => Result): readonly Result[] {
  return Array.from({ length: MINUTES * CHECKS }, (_, index) => {
    const checkNo = 1 + (index % CHECKS);
    const phase = (checkNo * 4321) % 59_000;
    return make({ checkNo, tick: day + phase + Math.floor(index / CHECKS) * MINUTE_MS });
  });
}

interface Bytes {
  readonly plain: number;
  readonly hot: number;
  readonly packed: number;
  readonly hourly: number;
  readonly daily: number;
}

async function append(store: Store, results: readonly Result[]): Promise<void> {
  for (let from = 0; from < results.length; from += MINUTES)
    await Promise.all(results.slice(from, from + MINUTES).map((result) => store.append(result)));
}

async function onSqlite(results: readonly Result[]): Promise<Bytes> {
  await using folder = await dataFolder();
  await fill(folder, CHECKS, () => ({}));
  let [now, skippedMs] = [day + 23 * HOUR_MS, 0];
  const monotonic = (): number => systemClock.monotonic() + skippedMs;
  const store = await openStore(folder, { ...systemClock, now: () => now, monotonic });
  await append(store, results);
  // Results are compacted every ten minutes.
  skippedMs += 10 * MINUTE_MS;
  await store.runHousekeeping();
  const path = join(folder.path, "watchpost.db");
  const hot = pagesOf(path, "results_2%");
  now += DAY_MS;
  while (pagesOf(path, "results_2%") > 0) await store.runHousekeeping();
  const packed = pagesOf(path, "%packed_days%");
  const hourly = pagesOf(path, "%hourly_summaries%");
  const daily = pagesOf(path, "%daily_summaries%");
  await store.close();
  using database = new DatabaseSync(path);
  database.exec(
    "CREATE TABLE plain_results (id INTEGER PRIMARY KEY, check_no INTEGER, started_at INTEGER, ended_at INTEGER, tick INTEGER, revision INTEGER, passed INTEGER, reason TEXT, text TEXT, message TEXT, runtime_ms INTEGER, location TEXT, earlier_runs TEXT, timings TEXT); CREATE INDEX plain_results_by_check ON plain_results (check_no, started_at); BEGIN",
  );
  const insert = database.prepare(
    "INSERT INTO plain_results VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (const each of results)
    insert.run(
      each.checkNo,
      each.startedAt,
      each.endedAt,
      each.tick,
      each.revision,
      each.passed ? 1 : 0,
      each.reason,
      each.text,
      each.message,
      each.runtimeMs,
      each.location,
      JSON.stringify(each.earlierRuns),
      JSON.stringify(each.timings ?? null),
    );
  database.exec("COMMIT");
  return { plain: pagesOf(path, "plain_results%"), hot, packed, hourly, daily };
}

/** Bytes of the pages of tables and indexes. */
function pagesOf(path: string, name: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  const sum = database.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE ?");
  return Number(sum.get(name)?.["bytes"]);
}

async function onPostgres(results: readonly Result[]): Promise<Bytes> {
  await using server = await postgres();
  const { host, port, user } = server;
  const parsers = parsersWithNumbers(types);
  const pool = new Pool({ host, port, user, database: "postgres", max: 8, types: parsers });
  const db = kyselyOver(pool);
  await migrate(db);
  const days = new Set(results.map(({ startedAt }) => startOfDay(startedAt)));
  await createPartitions((work) => db.transaction().execute(work), [...days]);
  const sealer = createSealer(new Uint8Array(32));
  const store = await openPostgresStore({ pool, clock: systemClock, sealer, log: silentLog });
  await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    for (let no = 1; no <= CHECKS; no += 1) await tx.checks.insert(aCheck(`check-${no}`));
  });
  await append(store, results);
  const bytesOf = async (relations: string): Promise<number> => {
    const size = sql<{ bytes: number }>`
      SELECT sum(pg_total_relation_size(relation))::bigint AS bytes FROM ${sql.raw(relations)} AS each (relation)`;
    return (await size.execute(db)).rows[0]?.bytes ?? 0;
  };
  const hot = await bytesOf("(SELECT relid FROM pg_partition_tree('results'))");
  const left = sql`SELECT 1 FROM all_results LIMIT 1`;
  while ((await left.execute(db)).rows.length > 0) await store.runHousekeeping();
  const [packed = 0, hourly = 0, daily = 0] = await Promise.all(
    ["packed_days", "hourly_summaries", "daily_summaries"].map((table) =>
      bytesOf(`(VALUES ('${table}'::regclass))`),
    ),
  );
  await store.close();
  return { plain: hot, hot, packed, hourly, daily };
}

/** Measures packing a day of one-minute results, with and without summaries, and unpacking it. */
function timesOf(results: readonly Result[]): readonly number[] {
  const ofOne = results.filter(({ checkNo }) => checkNo === 1);
  const packed = packDay(ofOne);
  const withSummaries = () => repack({ checkNo: 1, day, rows: ofOne, packed: undefined });
  return [() => packDay(ofOne), withSummaries, () => unpackDay(1, packed)].map((work) =>
    median(
      Array.from({ length: ROUNDS }, () => {
        const began = performance.now();
        work();
        return performance.now() - began;
      }),
    ),
  );
}

/** Measures bytes of a result on disk: as a plain row, stored on its day, and packed; and of a day's summaries. */
export async function benchStoredBytes(): Promise<string> {
  const rows: string[] = [];
  for (const [kind, make] of Object.entries(kinds)) {
    const results = resultsOf(make);
    const times = timesOf(results).map((ms) => ms.toFixed(1));
    for (const [engine, measure] of [
      ["SQLite", onSqlite],
      ["PostgreSQL", onPostgres],
    ] as const) {
      const { plain, hot, packed, hourly, daily } = await measure(results);
      const summaries = [hourly, daily].map((bytes) => (bytes / CHECKS).toFixed(0));
      const [plainEach, hotEach, packedEach] = [plain, hot, packed].map(
        (bytes) => bytes / results.length,
      );
      const ratio = (plain / packed).toFixed(0);
      rows.push(
        `| ${kind} | ${engine} | ${plainEach?.toFixed(0)} | ${hotEach?.toFixed(0)} | ${packedEach?.toFixed(1)} | ${ratio} | ${times.join(" | ")} | ${summaries.join(" | ")} |`,
      );
    }
  }
  return [
    `A stored result: bytes on disk, with indexes; ${CHECKS} checks of a minute, a day`,
    "",
    "| results | engine | plain row | on its day | packed | ratio of plain to packed | ms to pack a day of a check | with its summaries | to unpack | bytes of its summaries by hour | by day |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

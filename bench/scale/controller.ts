import { join } from "node:path";

import { Secret } from "../../src/kit/crypto/secret.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { silentLog } from "../../src/kit/log.ts";
import { kyselyOver as kyselyOverPostgres } from "../../src/store/postgres/dialect.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import { prepareDatabase as preparePostgres } from "../../src/store/postgres/prepare-database.ts";
import { kyselyOver } from "../../src/store/sqlite/dialect.ts";
import { openDatabase, prepareDatabase } from "../../src/store/sqlite/open-database.ts";
import { postgres } from "../../test/servers/postgres.ts";
import { sql } from "kysely";
import type { ControllerFound, ControllerTask } from "./controller-process.ts";
import { dataFolder, openStore } from "../fixture.ts";
import { fillChecks, storeLatest } from "./many-checks.ts";
import { measuredIn } from "./measured-process.ts";

const CHECKS = 100_000;
const SETTLING_SECONDS = 8;
/** Each check has one tick in it. */
const SECONDS = 60;

type Settings = ControllerTask["settings"];

/** One controller with 100,000 checks of a minute, whose probes are simulated: what it needs, and whether it keeps up. */
export const benchController = {
  onSqlite: () => bench("SQLite", onSqlite),
  onPostgres: () => bench("PostgreSQL", onPostgres),
};

async function bench(
  engine: string,
  measure: (count: number) => Promise<ControllerFound>,
): Promise<string> {
  const empty = await measure(0);
  const found = await measure(CHECKS);
  return [
    `A controller on ${engine} with ${CHECKS} checks of a minute whose probes are simulated, for ${SECONDS} s; memory is what it has more than with none`,
    "",
    "| | ready after ms | longest block until then, ms | after | CPU of a core | CPU of PostgreSQL | heap bytes a check | resident bytes a check | peak MiB | results a second | lateness p50 ms | p99 | most | flips | missed | undecided |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    `| ${[engine, ...cellsOf(found, empty)].join(" | ")} |`,
  ].join("\n");
}

function cellsOf(found: ControllerFound, empty: ControllerFound): readonly string[] {
  const each = (key: "heapBytes" | "residentBytes"): number => (found[key] - empty[key]) / CHECKS;
  return [
    found.readyMs.toFixed(0),
    found.blockedWhileLoadingMs.toFixed(0),
    found.blockedAfterMs.toFixed(0),
    found.cpuShare.toFixed(2),
    found.databaseCpuShare.toFixed(2),
    each("heapBytes").toFixed(0),
    each("residentBytes").toFixed(0),
    (found.peakResidentBytes / 2 ** 20).toFixed(0),
    found.resultsPerSecond.toFixed(0),
    found.latenessP50.toFixed(0),
    found.latenessP99.toFixed(0),
    found.latenessMost.toFixed(0),
    ...[found.flips, found.missed, found.undecided].map(String),
  ];
}

function measured(settings: Settings, checks: number): Promise<ControllerFound> {
  const task: ControllerTask = {
    settings: { ...settings, WATCHPOST_LISTEN: "127.0.0.1:0" },
    checks,
    settlingSeconds: checks === 0 ? 2 : SETTLING_SECONDS,
    seconds: checks === 0 ? 2 : SECONDS,
  };
  return measuredIn("controller-process.ts", task);
}

async function onSqlite(count: number): Promise<ControllerFound> {
  await using folder = await dataFolder();
  const sealer = createSealer(folder.key);
  {
    const path = join(folder.path, "watchpost.db");
    using database = openDatabase(path);
    prepareDatabase(database, { path, directory: folder.path, sealer });
    database.exec("BEGIN");
    await fillChecks(kyselyOver(database), sealer, { count, enabled: true });
    database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  const store = await openStore(folder);
  await storeLatest(store, count);
  await store.close();
  return await measured({ WATCHPOST_DATA: folder.path }, count);
}

async function onPostgres(count: number): Promise<ControllerFound> {
  await using folder = await dataFolder();
  const sealer = createSealer(folder.key);
  await using server = await postgres({
    settings: { fsync: "on", full_page_writes: "on", shared_buffers: "256MB" },
  });
  const { host, port, user } = server;
  const text = `postgres://${user}@${host}:${port}/postgres`;
  const url = new Secret(text);
  await preparePostgres({ url, sealer });
  const pool = createPool({ url, most: 4, answerWithinMs: 0 });
  const db = kyselyOverPostgres(pool);
  await fillChecks(db, sealer, { count, enabled: true });
  await sql`VACUUM ANALYZE`.execute(db);
  const store = await openPostgresStore({ pool, clock: systemClock, sealer, log: silentLog });
  await storeLatest(store, count);
  await store.close();
  return await measured({ WATCHPOST_DATA: folder.path, WATCHPOST_DATABASE_URL: text }, count);
}

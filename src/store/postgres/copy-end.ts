import { sql, type Kysely } from "kysely";

import { sleep, systemClock } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Secret } from "../../kit/crypto/secret.ts";
import type { CopyEnd } from "../copy/copy-end.ts";
import { copiedTables } from "../copy/copied-tables.ts";
import { endProgress, readProgress } from "../copy/copy-progress.ts";
import { startOfDay } from "../results/packing.ts";
import { insertRows } from "../copy/rows.ts";
import { readClock } from "../tables/engine.ts";
import type { Database } from "../tables/database.ts";
import { kyselyOver, withOwnTables } from "./dialect.ts";
import { postgresEngine } from "./engine.ts";
import { createPartitions } from "./partitions/make-partitions.ts";
import { createPartitionedDays } from "./partitions/result-days.ts";
import { createPool } from "./pool.ts";
import { prepareDatabase, verifyInstallation } from "./prepare-database.ts";
import { insertResults } from "./result-rows.ts";
import { readRows } from "./results.ts";

/** The database of an URL as one end of a copy; its tables are made if need be. */
export async function openPostgresEnd(url: Secret, sealer: Sealer): Promise<CopyEnd> {
  await prepareDatabase({ url, sealer });
  // Queries of a large database have no time limit.
  const db = kyselyOver(createPool({ url, most: 1, answerWithinMs: 0 }));
  return { ...(await endOver(db)), isInUse: () => isInUse(db), close: () => db.destroy() };
}

/**
 * Reads a database as of one instant, beside every process that writes to it. Does not change its tables, because a service of an older version may use them.
 */
export async function readPostgresSnapshot<Value>(
  { url, sealer }: { readonly url: Secret; readonly sealer: Sealer },
  read: (end: CopyEnd, taken: { readonly at: number; readonly isInUse: boolean }) => Promise<Value>,
): Promise<Value> {
  const db = kyselyOver(createPool({ url, most: 1, answerWithinMs: 0 }));
  try {
    await verifyInstallation(db, sealer);
    const isUsed = await isInUse(db);
    // One connection from first to last: it has the snapshot.
    return await db.connection().execute(async (pinned) => {
      await sql
        .raw(
          "begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0",
        )
        .execute(pinned);
      try {
        const at = await readClock(pinned, postgresEngine);
        const end = { ...(await endOver(pinned)), isInUse: () => Promise.resolve(false) };
        return await read({ ...end, close: () => Promise.resolve() }, { at, isInUse: isUsed });
      } finally {
        await sql`rollback`.execute(pinned);
      }
    });
  } finally {
    await db.destroy();
  }
}

/** Empties a database that is an unfinished copy, so that another one can begin. */
export async function discardUnfinished(db: Kysely<Database>): Promise<void> {
  if ((await readProgress(db)) === undefined) return;
  const tables = ["results", "stray_results", "lanes", "account_usage", "changes"];
  const all = [...copiedTables.map(({ table }) => table), ...tables];
  await sql`truncate ${sql.join(all.map((table) => sql.table(table)))} cascade`.execute(db);
  await endProgress(db);
}

async function endOver(db: Kysely<Database>): Promise<Omit<CopyEnd, "isInUse" | "close">> {
  const days = await createPartitionedDays(db);
  return {
    db,
    readResults: (query, limit) => readRows(db, query, limit),
    async lastNumbers() {
      const { rows } = await sql<{ table_name: string; last: number }>`
        select columns.table_name, pg_sequence_last_value(pg_get_serial_sequence(columns.table_name, columns.column_name)::regclass) as last
        from information_schema.columns
        where columns.table_schema = current_schema() and columns.is_identity = 'YES'`.execute(db);
      return new Map(
        rows.filter(({ last }) => last !== null).map(({ table_name, last }) => [table_name, last]),
      );
    },
    async columns(table) {
      const { rows } = await sql<{ column_name: string }>`
        select column_name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'
        order by ordinal_position`.execute(db);
      return rows.map(({ column_name }) => column_name);
    },
    async insert(connection, rows) {
      // A page with all that the triggers do takes longer than a unit may.
      await sql`set local statement_timeout = 0`.execute(connection);
      await insertRows(connection, { ...rows, overriding: sql`overriding system value` });
    },
    async append(found) {
      const starts = new Set(found.map(({ startedAt }) => startOfDay(startedAt)));
      const missing = [...starts].filter((day) => !days.takes(day));
      if (missing.length > 0) {
        await createPartitions((work) => db.transaction().execute(work), missing);
        await days.refresh();
      }
      await insertResults(db, found, days);
    },
    async setLastNumber(table, last) {
      const { rows } = await sql<{ column_name: string }>`
        select column_name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} and is_identity = 'YES'`.execute(
        db,
      );
      for (const { column_name } of rows)
        await sql`select setval(pg_get_serial_sequence(${table}, ${column_name}), ${last})`.execute(
          db,
        );
    },
    async finish() {
      await withOwnTables(db)
        .insertInto("lanes")
        .columns(["contact_id", "address_id", "account_id"])
        .expression((eb) =>
          eb
            .selectFrom("alerts")
            .select([
              "contact_id",
              "address_id",
              (each) => each.fn.min("account_id").as("account_id"),
            ])
            .groupBy(["contact_id", "address_id"]),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}

/** A controller renews its row each second, and every process of a service writes its probe each four. */
const WATCHED_FOR_MS = 5000;

const LOOK_INTERVAL_MS = 500;

/** Returns whether a service runs on the database: what every process of one writes moves. Resolves at once where nothing speaks for one. */
async function isInUse(db: Kysely<Database>): Promise<boolean> {
  const first = await look(db);
  if (first.controllers === 0 && first.sessions === 0) return false;
  const never = new AbortController().signal;
  for (let waited = 0; waited < WATCHED_FOR_MS; waited += LOOK_INTERVAL_MS) {
    await sleep(systemClock, LOOK_INTERVAL_MS, never);
    if ((await look(db)).moves !== first.moves) return true;
  }
  return false;
}

async function look(db: Kysely<Database>) {
  const { rows } = await sql<{ moves: string; controllers: number; sessions: number }>`
    select
      (select count(*) from controllers) as controllers,
      (select count(*) from pg_stat_activity where datname = current_database() and application_name = 'watchpost' and pid <> pg_backend_pid()) as sessions,
      concat(
        (select string_agg(id || ' ' || beat, ',' order by id) from controllers), ';',
        (select value from meta where key = 'write_probes')) as moves`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("a query without a table gives one row");
  return row;
}

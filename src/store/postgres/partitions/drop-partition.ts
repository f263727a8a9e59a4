import { sql, type Kysely } from "kysely";

import type { StoreAccess } from "../../retention/service-days.ts";
import type { Database } from "../../tables/database.ts";
import { resultColumns } from "../result-rows.ts";
import { tableOf, type Partition } from "./catalog.ts";

/** Counted in about 0.1 s, of a check of a minute each. */
const CHECKS_A_PAGE = 200;

/**
 * Detaches a partition, or completes an unfinished detach. Postponed if it would wait for another transaction, because waiting occupies a session and a dump
 * may take hours.
 */
export async function detach(db: Kysely<Database>, { day, state }: Partition): Promise<void> {
  if (await isUsedForLong(db)) return;
  const how = sql.raw(state === "detaching" ? "finalize" : "concurrently");
  await sql`alter table results detach partition ${sql.table(tableOf(day))} ${how}`.execute(db);
}

/** Returns whether a transaction is older than a second (or of unknown age), or another process detaches. */
async function isUsedForLong(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and (state is null or state <> 'idle')
        and (coalesce(query, '') ilike 'alter table results detach %' or (
          coalesce(xact_start < clock_timestamp() - interval '1 s', true)
          and (backend_xmin is not null or exists (
            select from pg_locks where pg_locks.pid = pg_stat_activity.pid and relation = 'results'::regclass))))
    ) as used`.execute(db);
  return rows[0]?.used ?? false;
}

/** Checks of a table that was detached: it is dropped once nothing but it has a result of them. */
export async function moveUnpackedRows(
  { db, inTx }: StoreAccess,
  { day, oid }: Partition,
  after: number,
): Promise<number | undefined> {
  const table = sql.table(tableOf(day));
  const { rows } = await sql<{ check_no: number; is_packed: boolean }>`
    select own.check_no, ${isCovered({ day, oid })} as is_packed
    from (select check_no, count(*) as rows from ${table} where check_no > ${after} group by check_no order by check_no limit ${CHECKS_A_PAGE}) as own
    order by own.check_no`.execute(db);
  for (const { check_no: checkNo, is_packed: isPacked } of rows) {
    if (isPacked) continue;
    await inTx((unit) =>
      sql`insert into stray_results (${resultColumns}) select ${resultColumns} from ${table} where check_no = ${checkNo} on conflict do nothing`.execute(
        unit,
      ),
    );
  }
  return rows.at(-1)?.check_no;
}

/** For a row `own` with a check and its row count: returns whether all rows are packed or the check no longer exists. */
export function isCovered({ day, oid }: Pick<Partition, "day" | "oid">) {
  return sql<boolean>`(
    not exists (select from check_states where check_states.check_no = own.check_no)
    or exists (select from packed_days where packed_days.check_no = own.check_no and day = ${day}
      and partition = ${oid} and partition_rows = own.rows))`;
}

/** Drops a partition that is no longer read. */
export async function drop({ inTx }: StoreAccess, { day }: Partition): Promise<void> {
  await inTx((unit) => sql`drop table if exists ${sql.table(tableOf(day))}`.execute(unit));
}

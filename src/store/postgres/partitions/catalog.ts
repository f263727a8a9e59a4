import { sql, type Kysely } from "kysely";

import type { Database } from "../../tables/database.ts";

/** Results of a day: `detaching` while a reader delays the detach, then `detached`, a separate table that nobody reads. */
export interface Partition {
  /** The instant at which it begins. */
  readonly day: number;
  /** No other partition ever has the same, of the same day neither. */
  readonly oid: number;
  readonly state: "attached" | "detaching" | "detached";
}

export const DAY_MS = 86_400_000;

export function tableOf(day: number): string {
  return `results_${dateOf(day).replaceAll("-", "")}`;
}

export function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, "2026-11-22".length);
}

/** Lists them by day. */
export async function listPartitions(db: Kysely<Database>): Promise<readonly Partition[]> {
  const { rows } = await sql<{ name: string; oid: number; state: Partition["state"] }>`
    select relname as name, pg_class.oid::bigint as oid,
      case when inhrelid is null then 'detached' when inhdetachpending then 'detaching' else 'attached' end as state
    from pg_class left join pg_inherits on inhrelid = pg_class.oid and inhparent = 'results'::regclass
    where relnamespace = (select relnamespace from pg_class where oid = 'results'::regclass)
      and relkind = 'r' and relname ~ '^results_[0-9]{8}$'
    order by relname`.execute(db);
  return rows.map(({ name, oid, state }) => ({ day: dayOf(name), oid, state }));
}

function dayOf(table: string): number {
  return Date.parse(table.replace(/^results_(....)(..)(..)$/, "$1-$2-$3"));
}

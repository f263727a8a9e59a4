import { sql, type Kysely } from "kysely";

import { sleep, systemClock } from "../../kit/clock.ts";
import type { Database } from "../queries/tables.ts";

/** A controller renews its row each second, and every process of a service writes its probe each four. */
const WATCHED_FOR_MS = 5000;
const LOOK_EVERY_MS = 500;

/** Whether a service runs on the database: what every process of one writes moves. Resolves at once where nothing speaks for one. */
export async function isInUse(db: Kysely<Database>): Promise<boolean> {
  const first = await look(db);
  if (first.controllers === 0 && first.sessions === 0) return false;
  const never = new AbortController().signal;
  for (let waited = 0; waited < WATCHED_FOR_MS; waited += LOOK_EVERY_MS) {
    await sleep(systemClock, LOOK_EVERY_MS, never);
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

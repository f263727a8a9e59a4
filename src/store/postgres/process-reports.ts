import { sql, type Kysely } from "kysely";

import type { Database } from "../tables/database.ts";
import type { ProcessReport, ProcessReports } from "../process-reports.ts";
import { createControllerRows } from "./leases/controller-rows.ts";

/** Four reports of a process that reports every five seconds. */
const FRESH_MS = 20_000;
/** Milliseconds until the row of a process that has ended is deleted. */
const KEPT_MS = 3_600_000;

/** Reads which controllers renew their leases from one exchange to the next, which must be seconds apart. */
export function createProcessReports(db: Kysely<Database>): ProcessReports {
  const controllerRows = createControllerRows(db);
  let beats: ReadonlyMap<string, number> = new Map();
  return {
    async exchange({ id, host, problems }) {
      await sql`
        insert into process_reports (id, host, problems, reported_at)
        values (${id}, ${host}, ${JSON.stringify(problems)}::json, now_ms())
        on conflict (id) do update set host = excluded.host, problems = excluded.problems, reported_at = excluded.reported_at`.execute(
        db,
      );
      await sql`delete from process_reports where reported_at < now_ms() - ${KEPT_MS}`.execute(db);
      const { rows: others } = await sql<ProcessReport>`
        select id, host, problems from process_reports
        where id <> ${id} and reported_at > now_ms() - ${FRESH_MS} order by id`.execute(db);
      const { controllers, shards } = await controllerRows.list();
      const live = new Set(
        controllers.filter((row) => row.beat !== beats.get(row.id)).map((row) => row.id),
      );
      beats = new Map(controllers.map((row) => [row.id, row.beat]));
      const uncontrolledShards = shards
        .filter(({ owner }) => owner === null || !live.has(owner))
        .map(({ shard }) => shard);
      return { others, uncontrolledShards };
    },
  };
}

import { sql, type Kysely } from "kysely";

import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Result } from "../../domain/run/result.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { LatestResult, ResultQuery, ResultStorage, StoredResult } from "../results.ts";
import { createPackedDays } from "../results/packed-days.ts";
import { createResultReads } from "../results/result-reads.ts";
import type { RowReads } from "../results/row-reads.ts";
import { createStoredSummaries } from "../results/stored-summaries.ts";
import { createTargetOpener } from "../tables/checks/sealed-target.ts";
import type { Database } from "../tables/database.ts";
import { withOwnTables } from "./dialect.ts";
import type { PartitionedDays } from "./partitions/result-days.ts";
import { fromRow, insertResults, timingsOf } from "./result-rows.ts";

const PAGE_ROWS = 1000;

interface Deps {
  readonly sealer: Pick<Sealer, "open">;
  readonly log: Log;
  readonly meter: Meter;
  readonly days: Pick<PartitionedDays, "takes">;
}

interface LatestRow extends Omit<LatestResult, "timings"> {
  readonly check_no: number;
  readonly timings: string | null;
}

/** Results in partitions by day, and packed once their day is over. */
export function createResults(common: Kysely<Database>, deps: Deps): ResultStorage {
  const db = withOwnTables(common);
  const rows: RowReads = {
    read: (query, limit) => readRows(common, query, limit),
    async latest(checkNos) {
      const { rows } = await sql<LatestRow>`
        select wanted.check_no, latest.started_at as "startedAt", latest.tick, latest.runtime_ms as "runtimeMs", latest.text, latest.timings from unnest(${checkNos}::bigint[]) as wanted (check_no)
        cross join lateral (
          select started_at, tick, runtime_ms, text, timings from all_results where all_results.check_no = wanted.check_no order by started_at desc limit 1
        ) as latest`.execute(db);
      return new Map(
        rows.map(({ check_no, timings, ...latest }) => [
          check_no,
          { ...latest, timings: timingsOf({ timings }) },
        ]),
      );
    },
    withCheck: (checkNo, results) => withCheck(common, { checkNo, results, sealer: deps.sealer }),
    pageRows: PAGE_ROWS,
  };
  return {
    ...createResultReads(rows, createPackedDays(common, deps), createStoredSummaries(common, deps)),
    recent: (query) => readRows(common, query, query.limit),
    async append(result) {
      await insertResults(common, [result], deps.days);
    },
    compact: () => Promise.resolve(true),
  };
}

export async function readRows(
  db: Kysely<Database>,
  { checkNo, from, to, order }: ResultQuery,
  limit: number,
): Promise<readonly Result[]> {
  const rows = await withOwnTables(db)
    .selectFrom("all_results")
    .distinctOn("started_at")
    .selectAll()
    .where("check_no", "=", checkNo)
    .where("started_at", ">=", from)
    .where("started_at", "<=", to)
    .orderBy("started_at", order === "newest" ? "desc" : "asc")
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** Adds to results what their check was when they ran. */
async function withCheck(
  db: Kysely<Database>,
  {
    checkNo,
    results,
    sealer,
  }: {
    readonly checkNo: number;
    readonly results: readonly Result[];
    readonly sealer: Pick<Sealer, "open">;
  },
): Promise<readonly StoredResult[]> {
  if (results.length === 0) return [];
  const revisions = await db
    .selectFrom("check_revisions")
    .selectAll()
    .where("check_no", "=", checkNo)
    .orderBy("revision")
    .execute();
  const targetIn = createTargetOpener(sealer);
  return results.map((result) => {
    const then = revisions.findLast(({ revision }) => revision <= result.revision);
    return {
      ...result,
      type: then?.type ?? "",
      target: targetIn(then?.sealed_target),
      timeoutSeconds: then?.timeout_seconds ?? 0,
      intervalMinutes: then?.interval_minutes ?? 0,
    };
  });
}

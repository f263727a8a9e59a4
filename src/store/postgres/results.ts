import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Result } from "../../domain/run/result.ts";
import type { ResultQuery, ResultStorage, StoredResult } from "../results.ts";
import { createTargetOpener } from "../queries/checks/sealed-target.ts";
import type { Database } from "../queries/tables.ts";
import { withOwnTables } from "./dialect.ts";
import { fromRow, insertResults } from "./result-rows.ts";

const PAGE_ROWS = 1000;

/** Results in one table. */
export function createResults(
  common: Kysely<Database>,
  sealer: Pick<Sealer, "open">,
): ResultStorage {
  const db = withOwnTables(common);
  const read = async (query: ResultQuery): Promise<readonly StoredResult[]> => {
    const rows = await db
      .selectFrom("results")
      .selectAll()
      .where("check_no", "=", query.checkNo)
      .where("started_at", ">=", query.from)
      .where("started_at", "<=", query.to)
      .orderBy("started_at", query.order === "newest" ? "desc" : "asc")
      .limit(query.limit)
      .execute();
    return withCheck(common, { checkNo: query.checkNo, results: rows.map(fromRow), sealer });
  };
  return {
    async append(result) {
      await insertResults(common, [result]);
    },
    async last(checkNo, to = Number.MAX_SAFE_INTEGER) {
      return (await read({ checkNo, from: 0, to, limit: 1, order: "newest" }))[0];
    },
    async *page(query) {
      let { from, to, limit } = query;
      while (limit > 0 && from <= to) {
        const results = await read({ ...query, from, to, limit: Math.min(limit, PAGE_ROWS) });
        const last = results.at(-1);
        if (last === undefined) return;
        yield results;
        limit -= results.length;
        if (query.order === "newest") to = last.startedAt - 1;
        else from = last.startedAt + 1;
      }
    },
    async lastTicks(checkNos) {
      const { rows } = await sql<{ check_no: number; tick: number }>`
        select wanted.check_no, latest.tick from unnest(${checkNos}::bigint[]) as wanted (check_no)
        cross join lateral (
          select tick from results where results.check_no = wanted.check_no order by started_at desc limit 1
        ) as latest`.execute(db);
      return new Map(rows.map(({ check_no, tick }) => [check_no, tick]));
    },
    compact: () => Promise.resolve(true),
  };
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

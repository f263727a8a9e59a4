import { setImmediate } from "node:timers/promises";

import type { Result } from "../../../domain/run/result.ts";
import { inOrder } from "../../packed/result-order.ts";
import type { LatestResult, ResultQuery, ResultReads } from "../../results.ts";
import type { PackedDays, PackedReader } from "./packed-days.ts";
import type { RowReads } from "./row-reads.ts";
import { createSummaryReads } from "./summary-reads.ts";
import type { StoredSummaries } from "./stored-summaries.ts";

export interface MergedReads extends ResultReads {
  /** The latest result of each of these checks that has any. */
  readonly latest: (checkNos: readonly number[]) => Promise<ReadonlyMap<number, LatestResult>>;
}

/**
 * Reads rows and packed days as one. Rows become packed in a unit, and never the other way: where rows are read first, a result is
 * found in one of the two or in both.
 */
export function createResultReads(
  rows: RowReads,
  packed: PackedDays,
  stored: StoredSummaries,
): MergedReads {
  const reads = createReads(rows, packed);
  return { ...reads, summaries: createSummaryReads({ rows, stored, page: reads.page }) };
}

function createReads(rows: RowReads, packed: PackedDays): Omit<MergedReads, "summaries"> {
  return {
    async last(checkNo, to = Number.MAX_SAFE_INTEGER) {
      const query = { checkNo, from: 0, to, limit: 1, order: "newest" } as const;
      const found = await readMerged(query, 1, { rows, reader: packed.open() });
      return (await rows.withCheck(checkNo, found))[0];
    },
    async *page(query) {
      const reader = packed.open();
      let { from, to, limit } = query;
      while (limit > 0 && from <= to) {
        const wanted = Math.min(limit, rows.pageRows);
        const results = await readMerged({ ...query, from, to }, wanted, { rows, reader });
        const last = results.at(-1);
        if (last === undefined) return;
        yield await rows.withCheck(query.checkNo, results);
        limit -= results.length;
        if (query.order === "newest") to = last.startedAt - 1;
        else from = last.startedAt + 1;
        await setImmediate();
      }
    },
    async latest(checkNos) {
      const ofRows = await rows.latest(checkNos);
      const latestStart = await packed.latestStart();
      const startOf = (no: number): number => ofRows.get(no)?.startedAt ?? -Infinity;
      const ofDays = await packed.latest(checkNos.filter((no) => startOf(no) < latestStart));
      const later = [...ofDays].filter(([no, { startedAt }]) => startedAt > startOf(no));
      return later.length === 0 ? ofRows : new Map([...ofRows, ...later]);
    },
  };
}

async function readMerged(
  query: ResultQuery,
  limit: number,
  { rows, reader }: { readonly rows: RowReads; readonly reader: PackedReader },
): Promise<readonly Result[]> {
  const ofRows = await rows.read(query, limit);
  const ofDays = await reader.read(beforeLast(query, ofRows, limit), limit);
  return inOrder([...ofRows, ...ofDays], query.order).slice(0, limit);
}

/** Without what would come after the rows, where these are enough. */
function beforeLast(query: ResultQuery, rows: readonly Result[], limit: number): ResultQuery {
  const last = rows.at(-1);
  if (last === undefined || rows.length < limit) return query;
  return query.order === "newest"
    ? { ...query, from: last.startedAt }
    : { ...query, to: last.startedAt };
}

import { setImmediate } from "node:timers/promises";

import { DAY_MS, dayOf } from "../../domain/availability.ts";
import type { Result } from "../../domain/run/result.ts";
import { inOrder } from "./result-order.ts";
import { addUp, summarizeResults } from "./summarize-results.ts";
import type {
  LatestResult,
  ResultQuery,
  ResultReads,
  StoredResult,
  StoredSummary,
  SummaryQuery,
} from "../results.ts";
import type { PackedDays, PackedReader } from "./packed-days.ts";
import type { RowReads } from "./row-reads.ts";
import { stepMsOf, type StoredSummaries, type SummaryStep } from "./stored-summaries.ts";

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

interface Deps {
  readonly rows: Pick<RowReads, "read">;
  readonly stored: StoredSummaries;
  readonly page: ResultReads["page"];
}

/**
 * Reads summaries of packed days, and computes those of other days from their results. Packing and summarizing happen in one transaction, so reading first
 * which days have rows counts each result once.
 */
function createSummaryReads(deps: Deps): ResultReads["summaries"] {
  return async (query) => {
    const { from, to, stepMs } = query;
    if (from >= to) return [];
    const step = stepOf(stepMs);
    const summaries =
      step === undefined
        ? summarizeResults(await readAll(deps, query), stepMs)
        : await listByDay(deps, query, step);
    return summaries.filter(({ at }) => at >= from && at < to);
  };
}

async function listByDay(
  deps: Deps,
  { checkNo, from, to, stepMs }: SummaryQuery,
  step: SummaryStep,
): Promise<readonly StoredSummary[]> {
  const first = dayOf(from);
  const made = new Map<number, readonly StoredSummary[]>();
  for (const day of await daysWithRows(deps, { checkNo, from: first, to }))
    made.set(
      day,
      summarizeResults(await readAll(deps, { checkNo, from: day, to: day + DAY_MS }), stepMs),
    );
  const stored = await deps.stored.read({ checkNo, from: first, to, step });
  for (const [day, summaries] of made) {
    const before = stored.get(day) ?? [];
    // Fewer than before are what came late, after the others were purged.
    if (runsOf(summaries) < runsOf(before)) made.set(day, addUp([...before, ...summaries]));
  }
  const days = [...new Map([...stored, ...made])];
  return days.toSorted(([one], [other]) => one - other).flatMap(([, summaries]) => summaries);
}

type Range = Pick<SummaryQuery, "checkNo" | "from" | "to">;

async function daysWithRows(
  { rows }: Pick<Deps, "rows">,
  { checkNo, from, to }: Range,
): Promise<readonly number[]> {
  const days: number[] = [];
  for (let at = from; at < to;) {
    const query = { checkNo, from: at, to: to - 1, limit: 1, order: "oldest" } as const;
    const [next] = await rows.read(query, 1);
    if (next === undefined) break;
    const day = dayOf(next.startedAt);
    days.push(day);
    at = day + DAY_MS;
  }
  return days;
}

async function readAll(
  { page }: Pick<Deps, "page">,
  { checkNo, from, to }: Range,
): Promise<readonly StoredResult[]> {
  const query = { checkNo, from, to: to - 1, limit: Infinity, order: "oldest" } as const;
  const results: StoredResult[] = [];
  for await (const some of page(query)) results.push(...some);
  return results;
}

function runsOf(summaries: readonly StoredSummary[]): number {
  return summaries.reduce((sum, { summary }) => sum + summary.runs, 0);
}

function stepOf(stepMs: number): SummaryStep | undefined {
  return (["hourly", "daily"] as const).find((step) => stepMsOf[step] === stepMs);
}

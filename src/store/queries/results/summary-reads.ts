import { DAY_MS, dayOf } from "../../../domain/availability.ts";
import { addUp, summarizeResults } from "../../packed/summarize-results.ts";
import type { ResultReads, StoredResult, StoredSummary, SummaryQuery } from "../../results.ts";
import type { RowReads } from "./row-reads.ts";
import { stepMsOf, type StoredSummaries, type SummaryStep } from "./stored-summaries.ts";

interface Deps {
  readonly rows: Pick<RowReads, "read">;
  readonly stored: StoredSummaries;
  readonly page: ResultReads["page"];
}

/**
 * Summaries of days that are packed are read, and those of the others are made of their results. Results become packed and summarized
 * in one unit: where it is asked first which days have rows, each result is counted once.
 */
export function createSummaryReads(deps: Deps): ResultReads["summaries"] {
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

import { mergeSummaries, summarizeRuns } from "../../domain/run/run-summary.ts";
import type { Result } from "../../domain/run/result.ts";
import type { StoredSummary } from "../results.ts";

type Summarized = Pick<Result, "startedAt" | "location" | "passed" | "runtimeMs" | "timings">;

/** The runs by location and stretch of time, in the order of these. */
export function summarizeResults(
  results: readonly Summarized[],
  stepMs: number,
): readonly StoredSummary[] {
  const groups = Map.groupBy(
    results,
    ({ startedAt, location }) => `${startedAt - (startedAt % stepMs)} ${location}`,
  );
  const summaries = [...groups.values()].map((runs) => {
    const [{ startedAt, location } = { startedAt: 0, location: "" }] = runs;
    return { at: startedAt - (startedAt % stepMs), location, summary: summarizeRuns(runs) };
  });
  return summaries.toSorted(byTime);
}

/** One for each location and stretch of time. */
export function addUp(summaries: readonly StoredSummary[]): readonly StoredSummary[] {
  const sums = new Map<string, StoredSummary>();
  for (const each of summaries) {
    const key = `${each.at} ${each.location}`;
    const known = sums.get(key);
    const summary = known ? mergeSummaries(known.summary, each.summary) : each.summary;
    sums.set(key, { ...each, summary });
  }
  return [...sums.values()].toSorted(byTime);
}

function byTime(one: StoredSummary, other: StoredSummary): number {
  return one.at - other.at || (one.location < other.location ? -1 : 1);
}

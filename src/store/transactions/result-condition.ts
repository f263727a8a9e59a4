import type { Result } from "../../domain/run/result.ts";
import type { State } from "../../domain/run/verdict.ts";
import type { AppendEnd, ResultCondition, ResultQuery } from "../results.ts";
import type { AlsoWithResult, Transaction } from "../store.ts";

/** Stored state of a check before a result is stored. */
interface StoredBefore {
  readonly state: State | undefined;
  readonly results: readonly Pick<Result, "startedAt" | "reason">[];
}

/** Returns the results that a condition needs. Absent heartbeats are not among them, and are recorded at most once a minute. */
export function resultsAskedFor(
  { checkNo, startedAt }: Result,
  { limit, believedUntil = () => startedAt }: ResultCondition,
): ResultQuery {
  return {
    checkNo,
    from: Math.min(startedAt, limit?.from ?? startedAt),
    to: Math.max(startedAt, limit?.to ?? startedAt, believedUntil()),
    limit: (limit?.most ?? 0) + 2,
    order: "newest",
  };
}

export function endUnder(
  { startedAt }: Result,
  { state, limit, believedUntil = () => startedAt }: ResultCondition,
  before: StoredBefore,
): AppendEnd {
  const { results } = before;
  if (limit !== undefined) {
    const heartbeats = results.filter(
      (each) =>
        each.reason !== "stale" && each.startedAt > limit.from && each.startedAt <= limit.to,
    );
    if (heartbeats.length >= limit.most) return "throttled";
  }
  if (state !== undefined && before.state !== state) return "lost";
  const until = Math.max(startedAt, believedUntil());
  const isNewer = (start: number): boolean => start >= startedAt && start <= until;
  return results.some((each) => isNewer(each.startedAt)) ? "lost" : "stored";
}

/** Stores a result if its condition holds, in its own transaction. */
export async function appendUnder(
  tx: Pick<Transaction, "states" | "results">,
  result: Result,
  { condition = {}, closesGap = false }: AlsoWithResult,
): Promise<AppendEnd> {
  const end = await endInTransaction(tx, result, condition);
  if (end !== "stored") return end;
  if (closesGap) await tx.states.closeGaps([result.checkNo]);
  await tx.results.append(result);
  return end;
}

/** Returns how a result ends, in a transaction that has locked its check. */
export async function endInTransaction(
  tx: Pick<Transaction, "states" | "results">,
  result: Result,
  condition: ResultCondition,
): Promise<AppendEnd> {
  const { state } = await tx.states.get(result.checkNo);
  const results = await tx.results.recent(resultsAskedFor(result, condition));
  return endUnder(result, condition, { state, results });
}

import type { Result } from "../../domain/run/result.ts";
import type { State } from "../../domain/run/verdict.ts";
import type { AppendEnd, ResultCondition, ResultQuery } from "../results.ts";
import type { AlsoWithResult, Transaction } from "../store.ts";

/** What is stored of a check when a result of it is to be. */
interface StoredBefore {
  readonly state: State | undefined;
  readonly results: readonly Pick<Result, "startedAt" | "reason">[];
}

/** The results that a condition asks for. The absence of heartbeats is none of them, and recorded once in a minute at most. */
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

/** Stores a result where its condition holds, in a unit of its own. */
export async function appendUnder(
  tx: Pick<Transaction, "states" | "results">,
  result: Result,
  { condition = {}, closesGap = false }: AlsoWithResult,
): Promise<AppendEnd> {
  const end = await endInUnit(tx, result, condition);
  if (end !== "stored") return end;
  if (closesGap) await tx.states.closeGaps([result.checkNo]);
  await tx.results.append(result);
  return end;
}

/** What becomes of a result, within a unit that has locked its check. */
export async function endInUnit(
  tx: Pick<Transaction, "states" | "results">,
  result: Result,
  condition: ResultCondition,
): Promise<AppendEnd> {
  const { state } = await tx.states.get(result.checkNo);
  const results = await tx.results.recent(resultsAskedFor(result, condition));
  return endUnder(result, condition, { state, results });
}

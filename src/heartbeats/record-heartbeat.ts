import { startOf } from "../tracking/tracked-check.ts";
import type { CheckTracker } from "../tracking/check-tracker.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import type { Result } from "../domain/run/result.ts";
import { CLOCK_SKEW_TOLERANCE_MS, type Clock } from "../kit/clock.ts";
import type { AppendEnd, ResultCondition } from "../store/results.ts";
import type { Store, Transaction } from "../store/store.ts";
import { endInTransaction } from "../store/transactions/result-condition.ts";
import type { HeartbeatState } from "./heartbeat-states.ts";

/** The location of a result that no probe found. */
const PUSH_LOCATION = "push";

interface Received {
  readonly outcome: Outcome;
  readonly at: number;
  /** Tested in the transaction of a flip; if false, nothing is stored. */
  readonly precondition?: (tx: Transaction) => Promise<boolean>;
  /** How many heartbeats may have been stored in which time, by whichever process. */
  readonly limit?: ResultCondition["limit"];
}

/** Result of recording: `lost` if the check changed, another process stored a newer result, or the precondition was false. */
export type Recorded = "unchanged" | "flipped" | "lost" | "throttled";

interface Deps {
  readonly tracker: CheckTracker;
  readonly store: Pick<Store, "results">;
  readonly clock: Pick<Clock, "now">;
  /** Whether other processes store heartbeats of the same checks, and flip them: what is remembered of a check may be old. */
  readonly sharesChecks: boolean;
}

/** Stores what a heartbeat or its absence found. It is final without rechecks. */
export function recordHeartbeat(
  deps: Deps,
  state: HeartbeatState,
  found: Received,
): Promise<Recorded> {
  const { received } = state;
  // One after the other: each is judged against the state that the one before it left.
  const recorded = received.pendingWrite.then(() => record(deps, state, found));
  received.pendingWrite = recorded.catch(() => {});
  return recorded;
}

async function record(
  { tracker, store, sharesChecks, clock }: Deps,
  { tracked }: HeartbeatState,
  { outcome, at, precondition, limit }: Received,
): Promise<Recorded> {
  // A heartbeat that is both late and overdue as a run is reported once.
  if (precondition !== undefined && tracked.state === "failing") return "lost";
  const startedAt = await startOf(tracked, at, store.results, clock.now());
  const { passed, reason, text, message } = outcome;
  const result: Result = {
    checkNo: tracked.check.no,
    revision: tracked.check.runRevision,
    tick: at,
    startedAt,
    endedAt: startedAt,
    passed,
    reason,
    text,
    message,
    runtimeMs: outcome.runtimeMs ?? 0,
    location: PUSH_LOCATION,
    earlierRuns: [],
    timings: undefined,
  };
  const confirmations = [{ at: startedAt, location: PUSH_LOCATION, passed, message }];
  const found = { result, outcome, at, confirmations };
  const to = passed ? "passing" : "failing";
  const believedUntil = (): number => clock.now() + CLOCK_SKEW_TOLERANCE_MS;
  const condition = { believedUntil, ...(limit !== undefined && { limit }) };
  if (tracked.state === to) {
    const agreeing: ResultCondition = { ...condition, state: to };
    const end = await tracker.recordResult(tracked, found, sharesChecks ? agreeing : undefined);
    return end === "stored" ? "unchanged" : end;
  }
  let end: AppendEnd = "stored";
  const mayBeStored = async (tx: Transaction): Promise<boolean> => {
    if (sharesChecks) end = await endInTransaction(tx, result, condition);
    return end === "stored" && (precondition === undefined || (await precondition(tx)));
  };
  const hasFlipped = await tracker.recordFlip(tracked, {
    ...found,
    to,
    since: startedAt,
    precondition: mayBeStored,
  });
  if (hasFlipped) return "flipped";
  return end === "stored" ? "lost" : end;
}

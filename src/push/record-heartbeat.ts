import { startAfterLast } from "../active-checks/tracked-check.ts";
import type { CheckTracker } from "../active-checks/check-tracker.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import type { Result } from "../domain/run/result.ts";
import type { Transaction } from "../store/store.ts";
import type { HeartbeatState } from "./heartbeat-states.ts";

/** The location of a result that no probe found. */
const PUSH_LOCATION = "push";

interface Received {
  readonly outcome: Outcome;
  readonly at: number;
  /** Asked in the transaction of a flip; where it is false, nothing is stored. */
  readonly precondition?: (tx: Transaction) => Promise<boolean>;
}

/** Stores what a heartbeat or its absence found. It is final without rechecks; true where it flipped the check. */
export function recordHeartbeat(
  tracker: CheckTracker,
  heartbeats: HeartbeatState,
  received: Received,
): Promise<boolean> {
  // One after the other: each is judged against the state that the one before it left.
  const recorded = heartbeats.pendingWrite.then(() => record(tracker, heartbeats, received));
  heartbeats.pendingWrite = recorded.catch(() => {});
  return recorded;
}

async function record(
  tracker: CheckTracker,
  { tracked }: HeartbeatState,
  { outcome, at, precondition }: Received,
): Promise<boolean> {
  const startedAt = startAfterLast(tracked, at);
  const { passed, reason, text, message } = outcome;
  const result: Result = {
    checkNo: tracked.check.no,
    revision: tracked.check.revision,
    tick: at,
    startedAt,
    endedAt: startedAt,
    passed,
    reason,
    text,
    message,
    runtimeMs: 0,
    location: PUSH_LOCATION,
    earlierRuns: [],
    timings: undefined,
  };
  const confirmations = [{ at: startedAt, location: PUSH_LOCATION, passed, message }];
  const found = { result, outcome, at, confirmations };
  const to = passed ? "passing" : "failing";
  if (tracked.state === to) {
    await tracker.recordResult(tracked, found);
    return false;
  }
  return tracker.recordFlip(tracked, {
    ...found,
    to,
    since: startedAt,
    // Each acknowledged heartbeat is a stored result, whoever flipped the check.
    keepsLostResult: true,
    ...(precondition !== undefined && { precondition }),
  });
}

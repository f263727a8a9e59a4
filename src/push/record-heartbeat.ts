import type { Outcome } from "../domain/outcome.ts";
import { maxRecipients } from "../domain/recipients.ts";
import type { Result } from "../domain/result.ts";
import { targetWithoutCredentials } from "../domain/target.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { recordResult } from "../store/units/record-result.ts";
import { recordFlip } from "../store/units/record-flip.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { HeartbeatState } from "./heartbeats.ts";

/** Where a heartbeat came in: no probe ran it. */
const PUSH_LOCATION = "push";

export interface HeartbeatDeps {
  readonly store: Store;
  readonly ids: Pick<Ids, "alert">;
  readonly log: Log;
  readonly meter: Meter;
}

interface Arrival {
  readonly pushed: HeartbeatState;
  readonly outcome: Outcome;
  readonly at: number;
  /** Looked at in the transaction of a flip; where it says no, nothing is kept. */
  readonly stillHolds?: (tx: Transaction) => Promise<boolean>;
}

/** Stores what a heartbeat, or a silence, found. It is final at once; true where it flipped the check. */
export function recordHeartbeat(arrival: Arrival, deps: HeartbeatDeps): Promise<boolean> {
  const { pushed } = arrival;
  // Those of one check go one after the other: each is judged against the state that the one before it left.
  const recorded = pushed.pendingWrite.then(() => record(arrival, deps));
  pushed.pendingWrite = recorded.catch(() => {});
  return recorded;
}

async function record(arrival: Arrival, deps: HeartbeatDeps): Promise<boolean> {
  const { pushed, outcome, at } = arrival;
  const { store, ids, log, meter } = deps;
  const { check } = pushed.record;
  const result = resultOf(pushed, outcome, at);
  const to = outcome.passed ? "passing" : "failing";
  if (pushed.state === to) {
    await keep(store, pushed, result);
    return false;
  }
  const from = pushed.state;
  const confirmed = {
    check,
    target: targetWithoutCredentials(check.parameters),
    from,
    to,
    result,
    at,
    since: result.startedAt,
    confirmations: [
      {
        at: result.startedAt,
        location: PUSH_LOCATION,
        passed: outcome.passed,
        message: outcome.message,
      },
    ],
  } as const;
  const recorded = await store.write(async (tx) => {
    if (arrival.stillHolds !== undefined && !(await arrival.stillHolds(tx))) return undefined;
    const recorded = await recordFlip(tx, confirmed, ids);
    // Another heartbeat flipped it first, or the check was changed meanwhile: this one is a result all the same.
    if (!recorded.won) await tx.results.append(result);
    if (pushed.inTrouble) await tx.states.closeGap(check.no);
    return recorded;
  });
  pushed.inTrouble = false;
  if (recorded === undefined) return false;
  const { won, recipientsTruncated } = recorded;
  if (won) {
    meter.count("push.flip", { to });
    log.info("push.flip", { check: check.id, to, text: result.text, message: result.message });
  }
  if (recipientsTruncated) {
    meter.count("push.recipients_truncated");
    log.warn("push.recipients_truncated", { check: check.id, told: maxRecipients });
  }
  pushed.state = (await store.states.get(check.no)).state;
  pushed.spanIsOpen = true;
  return won;
}

async function keep(store: Store, pushed: HeartbeatState, result: Result): Promise<void> {
  const resumesDown = pushed.state === "failing" && !pushed.spanIsOpen;
  await recordResult(store, result, { resumesDown, endsTrouble: pushed.inTrouble });
  pushed.spanIsOpen ||= resumesDown;
  pushed.inTrouble = false;
}

function resultOf(pushed: HeartbeatState, outcome: Outcome, at: number): Result {
  const startedAt = Math.max(at, pushed.lastStart + 1);
  pushed.lastStart = startedAt;
  return {
    checkNo: pushed.record.check.no,
    revision: pushed.record.check.revision,
    tick: at,
    startedAt,
    endedAt: startedAt,
    passed: outcome.passed,
    reason: outcome.reason,
    text: outcome.text,
    message: outcome.message,
    runtimeMs: 0,
    location: PUSH_LOCATION,
    earlierRuns: [],
    timings: undefined,
  };
}

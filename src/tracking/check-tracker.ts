import type { RunningCheck } from "../domain/check.ts";
import type { FailingLocation } from "../domain/location.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import { maxRecipients } from "../domain/contact/recipients.ts";
import type { Confirmation, Result } from "../domain/run/result.ts";
import type { State } from "../domain/run/verdict.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { AppendEnd, ResultCondition } from "../store/results.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { Gap } from "../store/tables/checks.ts";
import { recordFlip } from "../store/transactions/record-flip.ts";
import { recordResult } from "../store/transactions/record-result.ts";
import { observationOf, withCertificate, type TrackedCheck } from "./tracked-check.ts";

interface Deps {
  readonly store: Pick<Store, "append" | "write">;
  readonly ids: Pick<Ids, "alert">;
  /** Called after each flip, and when an outage continues after its check was disabled, because alerts may be due. */
  readonly flipped: () => void;
  readonly log: Log;
  readonly meter: Meter;
  /** Source of the results: the first part of the names of counted and logged events. */
  readonly source: "confirm" | "push";
}

/** A result, with the outcome that it was made of. */
export interface ResultToRecord {
  readonly result: Result;
  readonly outcome: Outcome;
  /** Time of the finding, by the clock of alerts, because result times run ahead after that clock was set back. */
  readonly at: number;
  readonly confirmations: readonly Confirmation[];
  /** Failing locations after it; missing if nothing probed the check. */
  readonly failingLocations?: readonly FailingLocation[];
}

export interface FlipToRecord extends ResultToRecord {
  readonly to: State;
  /** Start of the first run that found the new state. */
  readonly since: number;
  /** Location that can run diagnostics; undefined if no probe ran the check. */
  readonly diagnosticsLocation?: string;
  /** Tested in the transaction of the flip; if false, nothing is stored. */
  readonly precondition?: (tx: Transaction) => Promise<boolean>;
}

/** Stores what was found of a check, probed or pushed, and advances what is known of it once that is committed. */
export interface CheckTracker {
  /**
   * Stores a result that agrees with the check's state, reopens the down span of a check that was off, and closes its gap; under a
   * condition where others store results of it, too.
   */
  readonly recordResult: (
    tracked: TrackedCheck,
    found: ResultToRecord,
    condition?: ResultCondition,
  ) => Promise<AppendEnd>;
  /** Stores a result that changes the state, with all consequences; true unless it was lost. */
  readonly recordFlip: (tracked: TrackedCheck, found: FlipToRecord) => Promise<boolean>;
  /** Stores a tick without a verdict, which the check shows until its next result. */
  readonly recordGap: (tracked: TrackedCheck, gap: Gap) => Promise<void>;
}

export function createCheckTracker(deps: Deps): CheckTracker {
  const { store, flipped } = deps;
  return {
    recordResult(tracked, found, condition) {
      const { result, outcome, at, confirmations } = found;
      const { check } = tracked;
      const mayResume = tracked.state === "failing" && !tracked.hasDownSpan;
      const observation = observationOf(tracked, outcome, result.location);
      const failingAgain = mayResume ? { check, at, confirmations, observation } : undefined;
      const recorded = recordResult(deps, result, {
        ...observation,
        failingAgain,
        endsTrouble: tracked.hasOpenGap,
        failingLocations: changedLocations(tracked, found),
        condition,
      });
      return recorded.then(({ isResumed, recipientsTruncated, end }) => {
        if (end !== "stored") return end;
        tracked.hasDownSpan ||= mayResume;
        tracked.hasOpenGap = false;
        rememberCertificate(tracked, result, outcome);
        rememberLocations(tracked, found);
        if (recipientsTruncated) reportTruncation(check, deps);
        if (isResumed) flipped();
        return end;
      });
    },
    async recordFlip(tracked, found) {
      const end = await commitFlip(tracked, found, deps);
      if (end === undefined) return false;
      tracked.state = end.state;
      tracked.hasDownSpan = end.won && end.state === "failing";
      if (end.won) {
        tracked.hasOpenGap = false;
        rememberCertificate(tracked, found.result, found.outcome);
        rememberLocations(tracked, found);
      }
      report(tracked, { ...found, ...end }, deps);
      if (end.won) flipped();
      return end.won;
    },
    async recordGap(tracked, gap) {
      const { no } = tracked.check;
      await store.write((tx) => tx.states.recordGap(no, gap), { checks: [no] });
      tracked.hasOpenGap = true;
    },
  };
}

interface FlipEnd {
  readonly won: boolean;
  readonly recipientsTruncated: boolean;
  /** State after the transaction, even if another process flipped the check. */
  readonly state: State | undefined;
}

/** Undefined if the precondition was false. */
function commitFlip(
  tracked: TrackedCheck,
  found: FlipToRecord,
  { store, ids }: Deps,
): Promise<FlipEnd | undefined> {
  const { check, hasOpenGap } = tracked;
  const { result, outcome, precondition } = found;
  const confirmed = {
    check,
    from: tracked.state,
    to: found.to,
    result,
    at: found.at,
    since: found.since,
    confirmations: found.confirmations,
    observation: observationOf(tracked, outcome, result.location),
    ...(found.diagnosticsLocation !== undefined && {
      diagnosticsLocation: found.diagnosticsLocation,
    }),
  };
  const unit = async (tx: Transaction): Promise<FlipEnd | undefined> => {
    if (precondition !== undefined && !(await precondition(tx))) return undefined;
    const { won, recipientsTruncated } = await recordFlip(tx, confirmed, ids);
    if (won && hasOpenGap) await tx.states.closeGaps([check.no]);
    const failingLocations = changedLocations(tracked, found);
    if (won && failingLocations !== undefined)
      await tx.states.setFailingLocations(check.no, failingLocations);
    const { state } = won ? { state: found.to } : await tx.states.get(check.no);
    return { won, recipientsTruncated, state };
  };
  return store.write(unit, { checks: [check.no] });
}

/** Undefined if they are already stored. */
function changedLocations(
  tracked: TrackedCheck,
  { failingLocations = tracked.failingLocations }: ResultToRecord,
): readonly FailingLocation[] | undefined {
  return failingLocations === tracked.failingLocations ? undefined : failingLocations;
}

function rememberLocations(tracked: TrackedCheck, found: ResultToRecord): void {
  tracked.failingLocations = found.failingLocations ?? tracked.failingLocations;
}

function rememberCertificate(
  tracked: TrackedCheck,
  { location }: Result,
  { certificate }: Outcome,
): void {
  if (certificate === undefined) return;
  tracked.certificates = withCertificate(tracked.certificates, { location, certificate });
}

function report(
  { check }: TrackedCheck,
  { result, to, won, recipientsTruncated }: FlipToRecord & FlipEnd,
  { source, log, meter }: Deps,
): void {
  const { text, message, earlierRuns } = result;
  const about = { check: check.id, to, text, message, runs: earlierRuns.length + 1 };
  if (won) {
    const event = source === "push" ? "push.flip" : "confirm.flip";
    meter.count(event, { to });
    log.info(event, about);
  } else {
    const event = source === "push" ? "push.flip_lost" : "confirm.flip_lost";
    meter.count(event, { to });
    log.info(event, about);
  }
  if (recipientsTruncated) reportTruncation(check, { source, log, meter });
}

function reportTruncation(
  { id: check }: Pick<RunningCheck, "id">,
  { source, log, meter }: Pick<Deps, "source" | "log" | "meter">,
): void {
  const event = source === "push" ? "push.recipients_truncated" : "confirm.recipients_truncated";
  meter.count(event);
  log.warn(event, { check, recipients: maxRecipients });
}

import type { Check, CheckState, RunningCheck } from "../domain/check.ts";
import type { FailingLocation } from "../domain/location.ts";
import type { State } from "../domain/run/verdict.ts";
import type { LocatedCertificate } from "./evidence.ts";
import type { Gap } from "./states.ts";

export interface CheckRecord {
  readonly check: Check;
  readonly state: CheckState;
  readonly openGap: Gap | undefined;
}

/** A check that is to run: switched on, of an active account. A controller keeps very many of them: nothing is in it that only people read. */
export interface ActiveCheck {
  readonly check: RunningCheck;
  readonly state: State | undefined;
  readonly failingLocations: readonly FailingLocation[];
  readonly openGap: Gap | undefined;
  /** The primary account that its account is, or belongs to: it shares what is scarce with others. */
  readonly primaryId: string;
  /** The check's own regions, or its account's. */
  readonly regions: readonly string[];
  /** Seconds between two rechecks: the check's own, or its account's. */
  readonly recheckWait: number;
  /** Since when it has been running without a break. */
  readonly activeSince: number;
  /** Of its latest result; undefined before its first. */
  readonly lastTick: number | undefined;
  /** When that began. */
  readonly lastStartedAt: number | undefined;
  /** The one that each location saw last. */
  readonly certificates: readonly LocatedCertificate[];
}

import type { Generated } from "kysely";

import type { Acknowledgement } from "../../domain/alert/acknowledgement.ts";
import type { Check, CheckState, RunningCheck } from "../../domain/check.ts";
import type { FailingLocation } from "../../domain/location.ts";
import type { State } from "../../domain/run/verdict.ts";
import type { DownSpan } from "../../domain/span.ts";
import type { NumericBoolean, CheckFlagColumns } from "./columns.ts";
import type { LocatedCertificate } from "./evidence.ts";

declare module "./database.ts" {
  interface Database {
    readonly checks: CheckTable;
    readonly removed_checks: RemovedCheckTable;
    readonly check_revisions: CheckRevisionTable;
    readonly check_states: CheckStateTable;
    readonly spans: SpanTable;
    readonly gaps: GapTable;
    readonly flips: FlipTable;
  }
}

interface RemovedCheckTable {
  readonly check_no: number;
}

export interface CheckTable extends CheckFlagColumns {
  readonly no: Generated<number>;
  readonly id: string;
  /** A hash of the id. */
  readonly shard: number;
  readonly account_id: string;
  readonly type: string;
  readonly label: string;
  readonly interval_minutes: number;
  readonly timeout_seconds: number;
  readonly rechecks: number | null;
  readonly recheck_wait: number | null;
  readonly enabled: NumericBoolean;
  readonly disabled_with_all: NumericBoolean;
  readonly regions: string | null;
  /** Sealed JSON. */
  readonly parameters: Uint8Array;
  readonly notifications: string;
  readonly depends_on: string | null;
  /** Like the mute of an address. */
  readonly mute: number;
  readonly quiet_first: NumericBoolean;
  readonly tags: string;
  readonly description: string;
  readonly home: string | null;
  readonly revision: number;
  readonly revision_hash: string;
  readonly run_revision: number;
  readonly run_changed_at: number;
  readonly uuid: string;
  readonly queue: string;
  readonly created_at: number;
  readonly modified_at: number;
}

interface CheckRevisionTable {
  readonly check_no: number;
  readonly revision: number;
  readonly type: string;
  /** A query may contain keys. */
  readonly sealed_target: Uint8Array;
  readonly timeout_seconds: number;
  readonly interval_minutes: number;
}

export interface CheckStateTable {
  readonly check_no: number;
  readonly state: State | null;
  /** Start of the first run that led to a verdict; null before that. */
  readonly known_since: number | null;
  readonly down_since: number | null;
  readonly outage: string | null;
  /** Start of that outage, regardless of interruptions since. */
  readonly outage_since: number | null;
  /** Time of acknowledgement; null if not acknowledged. */
  readonly acknowledged_at: number | null;
  readonly acknowledged_by: string | null;
  readonly acknowledged_note: string | null;
  /** JSON; null if no location fails. */
  readonly failing_locations: string | null;
}

export interface SpanTable {
  readonly seq: Generated<number>;
  readonly check_no: number;
  readonly kind: "enabled" | "down" | "maintenance";
  readonly start_at: number;
  readonly end_at: number | null;
  readonly text: Generated<string>;
  readonly message: Generated<string>;
  readonly acknowledged_at: Generated<number | null>;
  readonly acknowledged_by: Generated<string | null>;
}

export interface GapTable {
  readonly seq: Generated<number>;
  readonly check_no: number;
  readonly is_open: NumericBoolean;
  readonly kind: Gap["kind"];
  readonly reason: string;
  readonly message: string;
  readonly first_tick: number;
  readonly last_tick: number;
  readonly ticks: number;
}

interface FlipTable {
  readonly id: string;
  readonly check_no: number;
  readonly from_state: State | null;
  readonly to_state: State;
  readonly at: number;
  readonly since: number;
  readonly revision: number;
  readonly text: string;
  readonly message: string;
}

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
  /** Tick of the latest result; undefined before the first one. */
  readonly lastTick: number | undefined;
  /** Start of that result. */
  readonly lastStartedAt: number | undefined;
  /** The one that each location saw last. */
  readonly certificates: readonly LocatedCertificate[];
}

/** Ticks in a row without a verdict: never run, or undecided for a reason of our own. The open one is shown on the check until a tick has a verdict. */
export interface Gap {
  readonly kind: "missed" | "undecided";
  readonly reason: string;
  readonly message: string;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly ticks: number;
}

export interface CheckGap extends Gap {
  readonly checkNo: number;
}

/** Reason why a check is not passing: it is down or disabled. */
export interface CurrentEvent {
  readonly checkId: string;
  readonly label: string;
  readonly kind: "down" | "disabled";
  readonly since: number;
}

/** A time in which a check was down or in maintenance. */
export interface RecentSpan extends DownSpan {
  readonly checkNo: number;
  readonly checkId: string;
  readonly label: string;
  readonly kind: "down" | "maintenance";
  /** Whether it ended because the check was switched off. */
  readonly isCut: boolean;
  readonly acknowledged: Pick<Acknowledgement, "at" | "by"> | undefined;
}

export interface Flip {
  readonly id: string;
  readonly checkNo: number;
  readonly from: State | undefined;
  readonly to: State;
  /** Time of confirmation. */
  readonly at: number;
  /** Start of the first run of the series that found the new state. */
  readonly since: number;
  /** The configuration it was found under: a flip of an older one changes nothing. */
  readonly revision: number;
  readonly text: string;
  readonly message: string;
}

/** The result that finds a check failing again after it was off. */
export interface ReopenedBy {
  readonly since: number;
  /** The configuration it was found under: what was found under an older one reopens nothing. */
  readonly revision: number;
  readonly text: string;
  readonly message: string;
}

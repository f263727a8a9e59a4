import type { Acknowledgement } from "../domain/alert/acknowledgement.ts";
import type { CheckState } from "../domain/check.ts";
import type { DayTimes } from "../domain/availability.ts";
import type { FailingLocation } from "../domain/location.ts";
import type { DownSpan, Span } from "../domain/span.ts";
import type { State } from "../domain/run/verdict.ts";

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

/** What keeps an account's check from passing: down, or disabled. */
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
  /** When it was confirmed. */
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

export interface StateReads {
  readonly get: (checkNo: number) => Promise<CheckState>;
  readonly listCurrentEvents: (accountId: string) => Promise<readonly CurrentEvent[]>;
  /** Stretches that touch [from, to). */
  readonly listEnabledSpans: (
    checkNo: number,
    from: number,
    to: number,
  ) => Promise<readonly Span[]>;
  /** When the first run of the check began that led to a verdict; undefined before that. */
  readonly knownSince: (checkNo: number) => Promise<number | undefined>;
  /** The latest first. */
  readonly listGaps: (checkNo: number, limit: number) => Promise<readonly Gap[]>;
  readonly listDownSpans: (
    checkNo: number,
    from: number,
    to: number,
  ) => Promise<readonly DownSpan[]>;
  /** The present down span of each check of the account that has one, by its number. */
  readonly listOpenDownSpans: (accountId: string) => Promise<ReadonlyMap<number, DownSpan>>;
  /** Down and maintenance spans of the account's checks that began or ended at that time or later, latest first; of more than `limit`, the latest. */
  readonly listRecentSpans: (
    accountId: string,
    from: number,
    limit: number,
  ) => Promise<readonly RecentSpan[]>;
  /** Of each of these checks the time that it was enabled, down and in maintenance in [from, to), by day. Days of which it has nothing are left out. */
  readonly listDayTimes: (
    checkNos: readonly number[],
    from: number,
    to: number,
  ) => Promise<ReadonlyMap<number, ReadonlyMap<number, DayTimes>>>;
}

export interface StateWrites {
  /**
   * Moves the check from one state to the other, opens or closes its down span and records the flip. False, and nothing
   * changed, where the check is not in that state any more, is switched off, or has a newer revision.
   */
  readonly flip: (flip: Flip) => Promise<boolean>;
  /** Sets who sees to an outage, or that nobody does; false where it is not the present outage of the check. */
  readonly acknowledge: (
    checkNo: number,
    outage: string,
    acknowledgement: Acknowledgement | undefined,
  ) => Promise<boolean>;
  /** Opens a down span again for a failing check that was off in between, from no earlier than it was on again; whether it did. */
  readonly reopenDownSpan: (checkNo: number, seen: ReopenedBy) => Promise<boolean>;
  /** Replaces the locations at which the latest run of the check failed. */
  readonly setFailingLocations: (
    checkNo: number,
    locations: readonly FailingLocation[],
  ) => Promise<void>;
  /** Extends the open gap of the check where its kind and reason are the same; otherwise closes that and opens this one. */
  readonly recordGap: (checkNo: number, gap: Gap) => Promise<void>;
  /** The same for many, in a few statements; those of one check in their order. */
  readonly recordGaps: (gaps: readonly CheckGap[]) => Promise<void>;
  /** Moves starts and ends of spans that lie after `at` by so many ms. */
  readonly shiftTimesAfter: (at: number, byMs: number) => Promise<void>;
  /** A tick of each has a result again: the checks show no gap any more. */
  readonly closeGaps: (checkNos: readonly number[]) => Promise<void>;
}

/** A run of a job that has begun and not ended. */
export interface StartedRun {
  readonly checkNo: number;
  /** Distinguishes those that go on at one time; empty for a sender whose runs do not. */
  readonly runId: string;
  readonly startedAt: number;
  /** When it takes too long; undefined where it may take any time, and once that was found. */
  readonly dueAt: number | undefined;
}

export type StartedRunKey = Pick<StartedRun, "checkNo" | "runId">;

export interface StartedRunReads {
  readonly find: (key: StartedRunKey) => Promise<StartedRun | undefined>;
  /** The oldest first. */
  readonly list: (checkNo: number) => Promise<readonly StartedRun[]>;
  /** Some of those of enabled checks that take too long by then, but for so many that are due first. */
  readonly listDue: (at: number, skipped?: number) => Promise<readonly StartedRun[]>;
}

export interface StartedRunWrites {
  /** One that has begun before under that id begins anew. Of a check the newest are kept. */
  readonly begin: (run: StartedRun) => Promise<void>;
  /** Ends a run, and says when it began; undefined where it was not under way. */
  readonly end: (key: StartedRunKey) => Promise<number | undefined>;
  /** Has it found no more to take too long, or only from then on. */
  readonly postpone: (key: StartedRunKey, dueAt: number | undefined) => Promise<void>;
  /** Moves all of them in time. */
  readonly shiftTimes: (byMs: number) => Promise<void>;
}

import type { Acknowledgement } from "../domain/alert/acknowledgement.ts";
import type { DownSpan } from "../domain/span.ts";
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

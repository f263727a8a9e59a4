import type { Change } from "../domain/change.ts";
import type { DiagnosticTool, Finding } from "../domain/diagnostics.ts";
import type { Location } from "../domain/location.ts";
import type { Outcome } from "../domain/outcome.ts";

/** An order for one run. It crosses machines: plain JSON, and no instants, for clocks differ. */
export interface Job {
  /** Check, tick and attempt: the same job is never carried out twice to effect. */
  readonly id: string;
  readonly checkId: string;
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

/** Why a job brought no outcome: nobody answered, the location is blind or too busy to keep time, policy refused the target, or the probe broke. */
export type Trouble = "unanswered" | "offline" | "busy" | "blocked" | "broken";

/** What comes back for a job. The offsets are ms since the job reached the probe, by its monotonic clock. */
export type Report =
  | {
      readonly jobId: string;
      readonly location: string;
      readonly startOffsetMs: number;
      readonly endOffsetMs: number;
      readonly outcome: Outcome;
      /** A witness proved our own way out while the target failed. */
      readonly vouched: boolean;
    }
  | {
      readonly jobId: string;
      readonly location: string;
      readonly trouble: Trouble;
      readonly message: string;
    };

/** An order to look, from a location, why a target fails. Plain JSON, as a job. */
export interface DiagnosticsRequest {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** All that say something of such a target, unless given. */
  readonly tools?: readonly DiagnosticTool[] | undefined;
  readonly timeoutMs: number;
}

export interface Bus {
  readonly jobs: {
    readonly send: (location: string, job: Job) => void;
    readonly serve: (location: Location, carryOut: (job: Job) => Promise<Report>) => void;
  };
  readonly reports: {
    readonly subscribe: (receive: (report: Report) => void) => void;
  };
  readonly diagnostics: {
    /** Rejects with Unavailable where the location does not answer. */
    readonly ask: (location: string, order: DiagnosticsRequest) => Promise<readonly Finding[]>;
    readonly serve: (
      location: Location,
      carryOut: (order: DiagnosticsRequest) => Promise<readonly Finding[]>,
    ) => void;
  };
  readonly presence: {
    readonly live: () => readonly Location[];
  };
  readonly changes: {
    readonly publish: (change: Change) => void;
    readonly subscribe: (receive: (change: Change) => void) => void;
  };
}

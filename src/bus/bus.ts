import type { Invalidation } from "../domain/change.ts";
import type { DiagnosticTool, DiagnosticsFinding } from "../domain/diagnostics.ts";
import type { LiveLocation, Location } from "../domain/location.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import type { State } from "../domain/run/verdict.ts";

/** A request for one run. It crosses machines: plain JSON, and durations instead of instants, for clocks differ. */
export interface Job {
  /** Check, revision of its run, tick and attempt; it names the job in logs. */
  readonly id: string;
  readonly checkId: string;
  /** The primary account of the check: these share what runs need. */
  readonly accountId: string;
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  /** Whether the title of the page is of interest; a probe of an earlier version reports none. */
  readonly wantsTitle?: boolean;
  /** The check's state at the first attempt of a tick. A report that agrees with it may wait to share a message, because nothing follows from it. */
  readonly state?: State;
}

/**
 * Why a job brought no outcome: no reply came in time, the location is offline, its resolver does not answer, it was too busy to
 * measure, the egress policy refused the target, the probe failed, the broker between us and the location is away, or the job is too
 * large for a message.
 */
export const jobErrors = [
  "unanswered",
  "offline",
  "no_resolver",
  "busy",
  "blocked",
  "internal_error",
  "no_broker",
  "too_large",
] as const;
export type JobError = (typeof jobErrors)[number];

/** The reply to a job. The offsets are ms since the job reached the probe, by its monotonic clock. */
export type Report =
  | {
      readonly startOffsetMs: number;
      readonly endOffsetMs: number;
      readonly outcome: Outcome;
      /** The target failed while the location was shown to be online. */
      readonly connectivityConfirmed: boolean;
      /** A private target failed while the location's resolver, which had answered before, was silent. */
      readonly resolverSilent?: boolean;
    }
  | { readonly error: JobError; readonly message: string };

/** A request to find out, from a location, why a target fails. Plain JSON, as a job. */
export interface DiagnosticsRequest {
  /** The primary account of who asks: these share what runs need. */
  readonly accountId: string;
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Undefined for all tools that suit such a target. */
  readonly tools?: readonly DiagnosticTool[] | undefined;
  /** Another target than that of the parameters, which then do not count. */
  readonly target?: string | undefined;
  /** Record type of a lookup; chosen by target by default. */
  readonly recordType?: string | undefined;
  readonly timeoutMs: number;
}

export interface RequestOptions {
  /** How long to wait for the reply; what comes later is discarded. */
  readonly timeoutMs: number;
  /** Ends the wait: the request rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Asks a location and brings its reply to the caller, and to nobody else. */
export interface Requests<Request, Reply> {
  readonly request: (location: string, request: Request, options: RequestOptions) => Promise<Reply>;
}

/** Operations of a location. */
export interface LocationHandlers {
  readonly runJob: (job: Job) => Promise<Report>;
  readonly runDiagnostics: (request: DiagnosticsRequest) => Promise<readonly DiagnosticsFinding[]>;
}

/** Hints to look for changes: of the configuration, or for due alerts. */
export const hints = ["changes", "alerts"] as const;
export type Hint = (typeof hints)[number];

/** A location that was live, and is not any more. */
export interface GoneLocation extends Location {
  readonly seenMsAgo: number;
}

export interface Bus {
  /** A location that does not reply, or fails to, is a report with an error. */
  readonly jobs: Requests<Job, Report>;
  /** Rejects with Unavailable where the location does not reply, or fails to. */
  readonly diagnostics: Requests<DiagnosticsRequest, readonly DiagnosticsFinding[]>;
  /** Makes a location live, until the bus closes. */
  readonly serve: (location: Location, handlers: LocationHandlers) => void;
  readonly presence: {
    /** With a type, only those that run checks of that type. */
    readonly live: (type?: string) => readonly LiveLocation[];
    /** Locations received by this process within the last days. */
    readonly gone: () => readonly GoneLocation[];
    /** Reasons why locations cannot be reached although they may be healthy, one sentence each; empty if nothing is wrong. */
    readonly troubles: () => readonly string[];
  };
  /** Changes of the configuration, within this process: others read them from the store. */
  readonly changes: {
    readonly publish: (change: Invalidation) => void;
    readonly subscribe: (receive: (change: Invalidation) => void) => void;
  };
  /** Has every process, this one too, look now for what it looks for regularly in any case: one may be lost. */
  readonly hints: {
    readonly publish: (hint: Hint) => void;
    readonly subscribe: (hint: Hint, receive: () => void) => void;
  };
  /** Ends every request as unanswered; from then on no location is live and no change is received. */
  readonly close: () => Promise<void>;
}

/** How long after its timeout a reply may still come: the way there and back, and the check of the location's own connectivity. */
const REPLY_GRACE_MS = 5000;
/** How long a run may wait for places at the addresses that it dials. */
export const MAX_ADDRESS_WAIT_MS = 10_000;
/** Returns the maximum time for a reply to a job: a probe that was suspended gives its run the lost time back, up to the timeout once more. */
export function replyWithinMs({ timeoutMs }: Pick<Job, "timeoutMs">): number {
  return 2 * timeoutMs + MAX_ADDRESS_WAIT_MS + REPLY_GRACE_MS;
}
/** How long diagnostics may take to reply, with their wait for those before them. */
export const DIAGNOSTICS_REPLY_MS = 180_000;

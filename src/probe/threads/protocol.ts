import type { DiagnosticsRequest, Job, Report } from "../../bus/bus.ts";
import type { DiagnosticsFinding } from "../../domain/diagnostics.ts";
import type { Location } from "../../domain/location.ts";
import type { EgressMode } from "../../kit/net/egress.ts";
import type { OwnPort } from "../../kit/net/own-listener.ts";
import type { ConnectivityAddress } from "../connectivity-probe.ts";
import type { HostLimits } from "../../kit/concurrency/host-limiter.ts";

/** Options of a thread for its locations; sent between threads. */
export interface ThreadOptions {
  readonly locations: readonly Location[];
  readonly connectivityAddresses: readonly ConnectivityAddress[];
  readonly addressLimits: HostLimits;
  /** The memory for what targets send to all runs of the thread. */
  readonly targetBytes: number;
  readonly egress: EgressMode;
  readonly ownPort: OwnPort;
}

/** Data passed to a thread when it starts. */
export interface ProbeThreadData extends ThreadOptions {
  /** Names the thread in logs and metrics. */
  readonly name: string;
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Indexes of `progress`: a counter that changes while the thread makes progress, and the thread ID of Linux. */
export const STEPS = 0;
export const THREAD_ID = 1;

export type ThreadRequest = { readonly location: string } & (
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "diagnostics"; readonly request: DiagnosticsRequest }
);

/** Result of a request. */
export type ThreadReply =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "findings"; readonly findings: readonly DiagnosticsFinding[] }
  | { readonly kind: "failed"; readonly message: string };

export interface Numbered<Value> {
  readonly no: number;
  readonly value: Value;
}

/** One message to a thread, as JSON: half the price of a structured clone, and several requests share one. */
export interface ToThread {
  readonly requests: readonly Numbered<ThreadRequest>[];
  /** Diagnostics are to end. */
  readonly stop?: true;
}

type Labels = Readonly<Record<string, string>>;

/** One message from a thread, as JSON. The first one, which may be empty, says that it is ready. */
export interface FromThread {
  readonly replies: readonly Numbered<ThreadReply>[];
  readonly counts: readonly (readonly [event: string, labels: Labels, by: number])[];
  readonly observations: readonly (readonly [event: string, ms: number, labels: Labels])[];
  readonly logs: readonly LogEntry[];
}

export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly fields: object;
  readonly condition: string;
}

import type { Acknowledgement } from "../alert/acknowledgement.ts";
import type { FailingLocation } from "../location.ts";
import type { Mute } from "../contact/mute.ts";
import type { Timings } from "./timings.ts";
import type { State } from "./verdict.ts";

/**
 * How a check is, in one word: `late` is one that still passes although its heartbeat is expected, `maintenance` and `paused` do not run, and of
 * `unknown` there is no verdict.
 */
export const statusWords = ["up", "down", "late", "maintenance", "paused", "unknown"] as const;
export type StatusWord = (typeof statusWords)[number];

/** Status of a check as shown in lists. */
export interface CheckStatus {
  readonly no: number;
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly intervalMinutes: number;
  readonly rechecks: number | undefined;
  readonly tags: readonly string[];
  readonly mute: Mute;
  readonly dependsOn: string | undefined;
  readonly inMaintenance: boolean;
  readonly createdAt: number;
  /** Since when it runs; undefined while it does not. */
  readonly activeSince: number | undefined;
  /** Time at which it was last disabled. */
  readonly lastActive: number | undefined;
  readonly state: State | undefined;
  readonly downSince: number | undefined;
  readonly outage: string | undefined;
  readonly acknowledgement: Acknowledgement | undefined;
  readonly failingLocations: readonly FailingLocation[];
  /** End of its last outage. */
  readonly lastDown: number | undefined;
  /** Its open gap: why its latest ticks have no verdict. */
  readonly gap: StatusGap | undefined;
  readonly last: LastRun | undefined;
  /** Without credentials and query; decrypted on demand. */
  readonly target: () => string;
  /** Parameters of the requested check types only, otherwise empty. */
  readonly parameters: () => Readonly<Record<string, unknown>>;
}

export interface StatusGap {
  readonly kind: "missed" | "undecided";
  readonly reason: string;
  readonly message: string;
  readonly since: number;
  readonly ticks: number;
}

export interface LastRun {
  readonly startedAt: number;
  /** Undefined of a day that is packed, as are the others. */
  readonly runtimeMs: number | undefined;
  readonly text: string | undefined;
  readonly timings: Timings | undefined;
}

/** The word for a check, and since when it is that. `expected` is when its next heartbeat is, where its absence is a failure. */
export function statusOf(
  check: CheckStatus,
  { now, expected }: { readonly now: number; readonly expected: number | undefined },
): { readonly word: StatusWord; readonly since: number } {
  const { activeSince, lastActive, createdAt, state, downSince, lastDown, inMaintenance } = check;
  if (activeSince === undefined)
    return { word: inMaintenance ? "maintenance" : "paused", since: lastActive ?? createdAt };
  if (state === undefined) return { word: "unknown", since: activeSince };
  if (state === "failing") return { word: "down", since: downSince ?? activeSince };
  if (expected !== undefined && expected < now) return { word: "late", since: expected };
  return { word: "up", since: lastDown ?? createdAt };
}

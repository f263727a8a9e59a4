import type { Clock } from "../../../kit/clock.ts";
import { union, type Interval } from "../../../kit/interruptions.ts";
import type { ReceptionRow } from "./reception-rows.ts";

/** Detects times in which a process may not have received heartbeats, by the rows of all receivers and its own monotonic clock alone. */
export interface ReceptionObserver {
  /** Sets the gaps known before the first read. */
  readonly begin: (before: readonly Interval[]) => void;
  /** Processes the latest rows; returns those of processes that are gone for good. */
  readonly read: (rows: readonly ReceptionRow[]) => readonly ReceptionRow[];
  /** End of the latest time in which some process could not receive: now while it lasts or is unknown. */
  readonly lastEnd: () => number;
  /** Gaps and unknown times, in order; everything before the start is unknown. */
  readonly lost: () => readonly Interval[];
  /** How many receive heartbeats, as far as is known. */
  readonly live: () => number;
}

/** A process beats once a second, and is read once a second. */
export const BEAT_INTERVAL_MS = 1000;
/** A process without a beat for this long does not receive heartbeats; one that could not read for this long does not know. */
export const GAP_MS = 5000;
/** Time after which a stalled process counts as gone: by then a load balancer uses others (Kubernetes: three probes ten seconds apart). */
const GONE_AFTER_MS = 30_000;

/** Equal to the retention of a process's own interruptions. */
const KEPT_MS = 24 * 3_600_000;

interface Seen extends ReceptionRow {
  readonly movedAt: number;
}

export function createReceptionObserver(clock: Pick<Clock, "monotonic">): ReceptionObserver {
  let seen: ReadonlyMap<string, Seen> = new Map();
  let readAt = -Infinity;
  let end = -Infinity;
  let wasDeaf = true;
  let lost: readonly Interval[] = [];

  const isKnown = (): boolean => !wasDeaf && clock.monotonic() - readAt < GAP_MS;

  const next = (row: ReceptionRow, now: number): Seen => {
    const before = seen.get(row.id);
    return { ...row, movedAt: before?.beat === row.beat ? before.movedAt : now };
  };
  /** Time since which a process made too little progress. It stalled while no process could read, as all do if the database stalls. */
  const stoodStillSince = ({ id, beat }: ReceptionRow, now: number): number => {
    const before = seen.get(id);
    if (before === undefined || before.beat === beat) return Infinity;
    const movedMs = (beat - before.beat) * BEAT_INTERVAL_MS;
    return now - before.movedAt - movedMs >= GAP_MS ? before.movedAt : Infinity;
  };
  /** Since when something may have been interrupted that was not at the read before: one more interruption, one that came or one that went. */
  const changedSince = (rows: ReadonlyMap<string, Seen>): number | undefined => {
    const changed = [...rows.values()].filter(
      ({ id, interruptions }) => seen.get(id)?.interruptions !== interruptions,
    );
    if (rows.size === seen.size && changed.length === 0) return undefined;
    return Math.min(readAt, ...changed.map(({ id }) => seen.get(id)?.movedAt ?? readAt));
  };

  return {
    begin(before) {
      lost = before;
      readAt = clock.monotonic();
    },
    read(rows) {
      const now = clock.monotonic();
      const found = new Map(rows.map((row) => [row.id, next(row, now)]));
      const standsStill = (forMs: number): readonly Seen[] =>
        [...found.values()].filter(({ movedAt }) => now - movedAt >= forMs);
      const isDeaf =
        rows.length === 0 || rows.some(({ is_deaf }) => is_deaf) || standsStill(GAP_MS).length > 0;
      const since = Math.min(
        changedSince(found) ?? Infinity,
        isDeaf || wasDeaf ? readAt : Infinity,
        ...standsStill(GAP_MS).map(({ movedAt }) => movedAt),
        ...rows.map((row) => stoodStillSince(row, now)),
      );
      // It ended at some time since the last read, at the latest now.
      if (since < Infinity) {
        end = now;
        const oldest = now - KEPT_MS;
        const begun = { from: since - BEAT_INTERVAL_MS, to: now };
        lost = union([...lost, begun]).filter(({ from, to }) => from === -Infinity || to > oldest);
      }
      wasDeaf = isDeaf;
      seen = found;
      readAt = now;
      return standsStill(GONE_AFTER_MS);
    },
    lastEnd: () => (isKnown() ? end : clock.monotonic()),
    lost: () => (isKnown() ? lost : union([...lost, { from: readAt, to: clock.monotonic() }])),
    live: () =>
      seen.size - [...seen.values()].filter(({ movedAt }) => readAt - movedAt >= GAP_MS).length,
  };
}

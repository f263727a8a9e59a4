import type { Clock } from "../../../kit/clock.ts";
import { union, type Interval } from "../../../kit/interruptions.ts";
import type { HearingRow } from "./hearing-rows.ts";

/** Knows, by the rows of all who receive heartbeats and by its own monotonic clock alone, when one of them may not have heard. */
export interface HearingObserver {
  /** Says, before the first read, when not all could hear until now. */
  readonly begin: (before: readonly Interval[]) => void;
  /** Takes what was read just now; gives the rows of those that are gone for good. */
  readonly read: (rows: readonly HearingRow[]) => readonly HearingRow[];
  /** When the latest time ended in which not all could hear: now while it lasts, or is not known. */
  readonly lastEnd: () => number;
  /** When not all could hear, or nothing is known, in order: all of it until it begins. */
  readonly lost: () => readonly Interval[];
  /** How many receive heartbeats, as far as is known. */
  readonly live: () => number;
}

/** A process beats once a second, and is read once a second. */
export const BEAT_EVERY_MS = 1000;
/** Who has not moved for so long does not hear, and whoever could not read for so long does not know. */
export const GAP_MS = 5000;
/** Who stood still for so long is gone: by then a load balancer sends to others (Kubernetes: three probes ten seconds apart). */
const GONE_AFTER_MS = 30_000;

/** As long as a process keeps its own interruptions. */
const KEPT_MS = 24 * 3_600_000;

interface Seen extends HearingRow {
  readonly movedAt: number;
}

export function createHearingObserver(clock: Pick<Clock, "monotonic">): HearingObserver {
  let seen: ReadonlyMap<string, Seen> = new Map();
  let readAt = -Infinity;
  let end = -Infinity;
  let wasDeaf = true;
  let lost: readonly Interval[] = [];

  const isKnown = (): boolean => !wasDeaf && clock.monotonic() - readAt < GAP_MS;

  const next = (row: HearingRow, now: number): Seen => {
    const before = seen.get(row.id);
    return { ...row, movedAt: before?.beat === row.beat ? before.movedAt : now };
  };
  /** Since when it moved too little: it stood still while nobody could read, as all do where the database does. */
  const stoodStillSince = ({ id, beat }: HearingRow, now: number): number => {
    const before = seen.get(id);
    if (before === undefined || before.beat === beat) return Infinity;
    const movedMs = (beat - before.beat) * BEAT_EVERY_MS;
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
      // It ended at some time since the last read, of which now is the latest.
      if (since < Infinity) {
        end = now;
        const oldest = now - KEPT_MS;
        const begun = { from: since - BEAT_EVERY_MS, to: now };
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

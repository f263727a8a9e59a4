import type { Finding } from "../judges/judge-states.ts";
import { livedBetween, type Interval } from "../judges/timeline.ts";

/** Shard owners in the database at one time. */
export interface ShardSample {
  readonly at: number;
  readonly beats: ReadonlyMap<string, number>;
  /** Owners by shard. */
  readonly owners: readonly (string | null)[];
}

/** How long a shard was nobody's, from the last beat of its owner, or from when that gave it away. */
export interface Handover {
  readonly shard: number;
  readonly at: number;
  readonly tookMs: number;
  readonly isTakeOver: boolean;
}

/** An owner whose beat is that young gave its shard away. */
const RENEWED_WITHIN_MS = 2500;

export function handoversIn(
  samples: readonly ShardSample[],
  lost: readonly Interval[],
): readonly Handover[] {
  const handovers: Handover[] = [];
  const beats = new Map<string, { readonly beat: number; readonly at: number }>();
  const owned = new Map<number, { readonly owner: string; readonly at: number }>();
  for (const sample of samples) {
    for (const [id, beat] of sample.beats)
      if (beats.get(id)?.beat !== beat) beats.set(id, { beat, at: sample.at });
    for (const [shard, owner] of sample.owners.entries()) {
      if (owner === null) continue;
      const before = owned.get(shard);
      owned.set(shard, { owner, at: sample.at });
      if (before === undefined || before.owner === owner) continue;
      const lastBeat = beats.get(before.owner)?.at ?? before.at;
      const isTakeOver = before.at - lastBeat > RENEWED_WITHIN_MS;
      const from = isTakeOver ? lastBeat : before.at;
      const tookMs = livedBetween(lost, { from, to: sample.at });
      handovers.push({ shard, at: sample.at, tookMs, isTakeOver });
    }
  }
  return handovers;
}

/** Scale.md and operating.md promise it. */
const MAX_DURATION_MS = 10_000;

/** Whether a shard was nobody's for too long, or is in the end. */
export function judgeShards(
  samples: readonly ShardSample[],
  handovers: readonly Handover[],
): readonly Finding[] {
  const last = samples.at(-1);
  const orphans = [...(last?.owners.entries() ?? [])].filter(([, owner]) => owner === null);
  const find = (shard: number, at: number, what: string): Finding => ({
    kind: "abandoned",
    about: `shard ${shard}`,
    at,
    what,
  });
  return [
    ...handovers
      .filter(({ tookMs }) => tookMs > MAX_DURATION_MS)
      .map(({ shard, at, tookMs }) => find(shard, at, `was nobody's for ${Math.round(tookMs)} ms`)),
    ...orphans.map(([shard]) => find(shard, last?.at ?? 0, "has no owner in the end")),
  ];
}

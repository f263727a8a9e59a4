import type { Location } from "../../domain/location.ts";
import type { Clock } from "../../kit/clock.ts";
import type { GoneLocation } from "../bus.ts";
import type { Beat } from "./messages.ts";
import { VERSION } from "./subjects.ts";

/** Each probe says that often that it is there. */
export const BEAT_EVERY_MS = 2000;
/** A probe that was not heard for three beats takes no jobs. */
const LIVE_FOR_MS = 6000;
/** After so long a location is not missed any more. */
const MISSED_FOR_MS = 7 * 86_400_000;

interface Deps {
  readonly clock: Pick<Clock, "monotonic">;
  /** While false, nobody can be heard, and whoever was live stays so. */
  readonly canHear: () => boolean;
  /** Called when the last probe of a location is gone. */
  readonly onGone: (location: string) => void;
}

export interface Presence {
  readonly heard: (location: string, beat: Beat) => void;
  readonly live: (type?: string) => readonly Location[];
  readonly gone: () => readonly GoneLocation[];
  /** The newest key of the location; undefined where it is not live. */
  readonly generationOf: (location: string) => number | undefined;
  /** Nobody took its jobs: it is not live until it is heard again. */
  readonly lost: (location: string) => void;
  /** Whoever is not heard again within the time of three beats is gone. */
  readonly hearAgain: () => void;
  readonly clear: () => void;
}

interface Probe {
  readonly beat: Beat;
  heardAt: number;
}

/** The probes of each location, by what they say of themselves. */
export function createPresence({ clock, canHear, onGone }: Deps): Presence {
  const locations = new Map<string, Map<string, Probe>>();
  /** By location, what was heard last. */
  const lastHeard = new Map<string, { readonly region: Beat["region"]; readonly at: number }>();

  const remove = (location: string): void => {
    if (locations.delete(location)) onGone(location);
  };
  const prune = (): void => {
    if (!canHear()) return;
    const since = clock.monotonic() - LIVE_FOR_MS;
    for (const [location, probes] of locations) {
      for (const [instance, { heardAt }] of probes) if (heardAt < since) probes.delete(instance);
      if (probes.size === 0) remove(location);
    }
  };
  const newest = (probes: ReadonlyMap<string, Probe>): readonly Beat[] => {
    const beats = [...probes.values()].map(({ beat }) => beat);
    const generation = Math.max(...beats.map((beat) => beat.generation));
    return beats.filter((beat) => beat.generation === generation);
  };

  return {
    heard(location, beat) {
      lastHeard.set(location, { region: beat.region, at: clock.monotonic() });
      const probes = locations.get(location) ?? new Map<string, Probe>();
      if (beat.leaving || !beat.versions.includes(VERSION)) {
        probes.delete(beat.instance);
        // What it has taken it still answers.
        if (probes.size === 0) locations.delete(location);
        return;
      }
      // The last one heard says what region the location is in.
      probes.delete(beat.instance);
      probes.set(beat.instance, { beat, heardAt: clock.monotonic() });
      locations.set(location, probes);
    },
    live(type) {
      prune();
      return [...locations].flatMap(([code, probes]) => {
        const takers = newest(probes);
        // Any of them may get the job.
        const runsIt = type === undefined || takers.every(({ types }) => types.includes(type));
        return runsIt ? [{ code, region: takers.at(-1)?.region }] : [];
      });
    },
    gone() {
      prune();
      const now = clock.monotonic();
      return [...lastHeard].flatMap(([code, { region, at }]) => {
        if (now - at > MISSED_FOR_MS) lastHeard.delete(code);
        const isGone = lastHeard.has(code) && !locations.has(code);
        return isGone ? [{ code, region, seenMsAgo: now - at }] : [];
      });
    },
    generationOf(location) {
      const probes = locations.get(location);
      return probes && newest(probes)[0]?.generation;
    },
    lost: remove,
    hearAgain() {
      const now = clock.monotonic();
      for (const probes of locations.values())
        for (const probe of probes.values()) probe.heardAt = now;
    },
    clear() {
      locations.clear();
      lastHeard.clear();
    },
  };
}

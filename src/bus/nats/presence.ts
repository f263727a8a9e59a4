import type { LiveLocation } from "../../domain/location.ts";
import type { Clock } from "../../kit/clock.ts";
import { writeKeyId, type LocationKeyId } from "../location-key.ts";
import type { PresenceBeat } from "./messages.ts";
import { VERSION } from "./subjects.ts";

/** Each probe says that often that it is there. */
export const BEAT_INTERVAL_MS = 2000;
/** Time after which a probe without three beats gets no jobs. */
const LIVE_FOR_MS = 6000;
/** Maximum probes of one location. Anyone with its key can invent any number. */
export const MAX_PROBES = 32;

interface Deps {
  readonly clock: Pick<Clock, "monotonic">;
  /** While false, no probe can be seen, and live ones stay live. */
  readonly canHear: () => boolean;
  /** Called when the last probe is gone. */
  readonly onGone: () => void;
  /** Called with each beat of a probe beyond the number that is kept. */
  readonly onRefused: () => void;
}

/** The probes of one location, by what they say of themselves. */
export interface Presence {
  readonly heard: (key: LocationKeyId, beat: PresenceBeat) => void;
  /** Newest key with live probes; undefined if there is none. */
  readonly key: () => LocationKeyId | undefined;
  /** The version of the program of the first probe with that key, where it says so. */
  readonly program: () => Pick<LiveLocation, "version">;
  /** Whether every probe that may get the job runs this type. */
  readonly runs: (type: string) => boolean;
  /** Called if its probes accepted no job: the location is not live until it is seen again. */
  readonly lost: () => void;
  /** Restarts the time of three beats after which an unseen probe is gone. */
  readonly hearAgain: () => void;
}

interface Probe {
  readonly key: LocationKeyId;
  readonly beat: PresenceBeat;
  heardAt: number;
}

export function createPresence({ clock, canHear, onGone, onRefused }: Deps): Presence {
  const probes = new Map<string, Probe>();

  const forget = (): void => {
    if (probes.size === 0) return;
    probes.clear();
    onGone();
  };
  const prune = (): void => {
    if (!canHear()) return;
    const since = clock.monotonic() - LIVE_FOR_MS;
    const had = probes.size;
    for (const [instance, { heardAt }] of probes) if (heardAt < since) probes.delete(instance);
    if (had > 0 && probes.size === 0) onGone();
  };
  /** Of two keys of one generation, the key of the probe seen first. */
  const newestKey = (): LocationKeyId | undefined => {
    let newest: LocationKeyId | undefined;
    for (const { key } of probes.values())
      if (newest === undefined || key.generation > newest.generation) newest = key;
    return newest;
  };

  return {
    heard(key, beat) {
      if (beat.leaving || !beat.versions.includes(VERSION)) {
        // It still answers the jobs that it has taken.
        probes.delete(beat.instance);
        return;
      }
      if (!probes.has(beat.instance) && probes.size >= MAX_PROBES) prune();
      // guard: probes of a location
      if (!probes.has(beat.instance) && probes.size >= MAX_PROBES) return onRefused();
      probes.set(beat.instance, { key, beat, heardAt: clock.monotonic() });
    },
    key() {
      prune();
      return newestKey();
    },
    program() {
      const newest = newestKey();
      const version = [...probes.values()].find(
        ({ key }) => newest !== undefined && writeKeyId(key) === writeKeyId(newest),
      )?.beat.program;
      return version === undefined ? {} : { version };
    },
    runs(type) {
      prune();
      const newest = newestKey();
      if (newest === undefined) return false;
      const name = writeKeyId(newest);
      for (const { key, beat } of probes.values())
        if (writeKeyId(key) === name && !beat.types.includes(type)) return false;
      return true;
    },
    lost: forget,
    hearAgain() {
      const now = clock.monotonic();
      for (const probe of probes.values()) probe.heardAt = now;
    },
  };
}

import type { Bus, GoneLocation } from "../../bus/bus.ts";
import type { LiveLocation, RememberedLocation } from "../../domain/location.ts";
import { sleep, type Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";

interface Deps {
  readonly store: Pick<Store, "locations" | "write">;
  /** Presence of remote locations as this process receives it. */
  readonly presence: Pick<Bus["presence"], "live" | "gone">;
  /** Called with all remembered locations after each read. */
  readonly expect: (locations: readonly RememberedLocation[]) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Remembers in the store which locations were live, so that one is missed by every process, also by those that started after it was gone. */
export interface LocationMemory {
  /** Locations that are not live, until they are forgotten. */
  readonly gone: () => readonly GoneLocation[];
  /** Called with a location that is no longer in the store. */
  readonly forgot: (code: string) => void;
  /** Reads what all processes remember, and stores what is not known of those that are live. Where it cannot, that is logged. */
  readonly look: () => Promise<void>;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const LOOK_INTERVAL_MS = 5000;
/** How old the time may get that a live location was seen last. */
const STORE_INTERVAL_MS = 60_000;

export function createLocationMemory({
  store,
  presence,
  expect,
  clock,
  log,
}: Deps): LocationMemory {
  let remembered: ReadonlyMap<string, RememberedLocation> = new Map();
  /** Times at which locations were forgotten that have not been live since. */
  const forgottenAt = new Map<string, number>();

  const forgot = (code: string): void => void forgottenAt.set(code, clock.now());
  /** A row that was read before its location was forgotten may still be here. */
  const isForgotten = ({ code, firstSeenAt }: RememberedLocation): boolean =>
    firstSeenAt <= (forgottenAt.get(code) ?? -Infinity);
  const missesRow = (location: LiveLocation): boolean => {
    const known = remembered.get(location.code);
    return (
      known === undefined ||
      known.region !== location.region ||
      Math.abs(clock.now() - known.lastSeenAt) >= STORE_INTERVAL_MS
    );
  };

  const look = async (): Promise<void> => {
    const rows = await store.locations.list();
    const read = new Map(rows.map((row) => [row.code, row]));
    for (const code of remembered.keys()) if (!read.has(code)) forgot(code);
    remembered = read;
    expect(rows);
    const live = presence.live().filter(({ isAway }) => isAway !== true);
    for (const { code } of live) forgottenAt.delete(code);
    const due = live.filter(missesRow);
    if (due.length === 0) return;
    const now = clock.now();
    await store.write(async ({ locations }) => {
      for (const { code, region, version } of due)
        await locations.saw({ code, region, version }, now);
    });
  };

  const lookOrLog = (): Promise<void> =>
    look().catch((error: unknown) =>
      log.warn("bus.locations_not_stored", { error: messageOf(error) }),
    );

  return {
    gone() {
      const here = presence.gone().filter(({ code }) => !forgottenAt.has(code));
      const known = new Set([...presence.live(), ...here].map(({ code }) => code));
      const earlier = [...remembered.values()].filter(
        (row) => !known.has(row.code) && !isForgotten(row),
      );
      const now = clock.now();
      return [
        ...here,
        ...earlier.map(({ code, region, lastSeenAt }) => ({
          code,
          region,
          seenMsAgo: Math.max(0, now - lastSeenAt),
        })),
      ];
    },
    forgot,
    look: lookOrLog,
    async run(signal) {
      while (!signal.aborted) {
        await lookOrLog();
        await sleep(clock, LOOK_INTERVAL_MS, signal);
      }
    },
  };
}

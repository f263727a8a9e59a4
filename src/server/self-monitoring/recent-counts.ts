import type { Clock } from "../../kit/clock.ts";
import type { Meter } from "../../kit/meter.ts";

type Labels = Readonly<Record<string, string>>;

interface Counted {
  readonly slot: number;
  readonly event: string;
  readonly labels: Labels;
  by: number;
}

export interface RecentCounts {
  /** Counts into the meter that was given, and remembers the watched events. */
  readonly meter: Meter;
  /** How often the event was counted within the last two minutes, by the value of one label. */
  readonly sumsBy: (event: WatchedEvent, label: string) => ReadonlyMap<string, number>;
}

const watchedEvents = ["confirm.run_undecided", "scheduler.tick_missed"] as const;
export type WatchedEvent = (typeof watchedEvents)[number];

const SLOT_MS = 5000;
const WINDOW_SLOTS = 24;

/** Remembers recent counts, because a counter knows only its total. */
export function createRecentCounts(to: Meter, clock: Pick<Clock, "monotonic">): RecentCounts {
  const watched = new Set<string>(watchedEvents);
  const kept = new Map<string, Counted>();
  const slotNow = (): number => Math.floor(clock.monotonic() / SLOT_MS);
  const prune = (): void => {
    const oldest = slotNow() - WINDOW_SLOTS;
    for (const [key, { slot }] of kept) if (slot <= oldest) kept.delete(key);
  };
  return {
    meter: {
      observe: to.observe,
      count(event, labels = {}, by = 1) {
        to.count(event, labels, by);
        if (!watched.has(event)) return;
        const slot = slotNow();
        const key = JSON.stringify([slot, event, labels]);
        const known = kept.get(key);
        if (known !== undefined) {
          known.by += by;
          return;
        }
        prune();
        kept.set(key, { slot, event, labels, by });
      },
    },
    sumsBy(event, label) {
      prune();
      const sums = new Map<string, number>();
      for (const counted of kept.values()) {
        const value = counted.labels[label];
        if (counted.event === event && value !== undefined)
          sums.set(value, (sums.get(value) ?? 0) + counted.by);
      }
      return sums;
    },
  };
}

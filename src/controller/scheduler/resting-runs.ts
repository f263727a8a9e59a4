import { sleep, type Clock } from "../../kit/clock.ts";
import type { RunPlace } from "./run-places.ts";

interface Rest {
  readonly ms: number;
  readonly signal: AbortSignal;
  /** Asks for a new place, which `resume` brings. */
  readonly ask: () => void;
}

/** Runs that gave up their place until their next attempt. */
export interface RestingRuns<Item> {
  /** Resolves with a new place after the rest; undefined once the signal aborts. */
  readonly rest: (item: Item, rest: Rest) => Promise<RunPlace | undefined>;
  readonly isResting: (item: Item) => boolean;
  /** False where the item does not rest, so the place is for a new run. */
  readonly resume: (item: Item, place: RunPlace) => boolean;
}

export function createRestingRuns<Item>(clock: Clock): RestingRuns<Item> {
  const resting = new Map<Item, (place: RunPlace) => void>();
  return {
    async rest(item, { ms, signal, ask }) {
      await sleep(clock, ms, signal);
      if (signal.aborted) return undefined;
      return new Promise((resolve) => {
        const end = (place: RunPlace | undefined): void => {
          signal.removeEventListener("abort", aborted);
          resting.delete(item);
          resolve(place);
        };
        const aborted = (): void => end(undefined);
        signal.addEventListener("abort", aborted, { once: true });
        resting.set(item, end);
        ask();
      });
    },
    isResting: (item) => resting.has(item),
    resume(item, place) {
      const end = resting.get(item);
      end?.(place);
      return end !== undefined;
    },
  };
}

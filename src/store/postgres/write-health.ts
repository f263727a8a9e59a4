import type { Clock } from "../../kit/clock.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import { Fenced } from "./leases/fenced.ts";

/** Monitors whether transactions can be committed: the last result, and the duration of those in progress. */
export interface WriteHealth {
  readonly watch: <Value>(unit: () => Promise<Value>) => Promise<Value>;
  readonly writeError: () => string | undefined;
  readonly oldestWaitMs: () => number;
}

interface Deps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly interruptions: Pick<Interruptions, "begin"> | undefined;
}

/** Equal to the limit of the embedded database. */
const HANGS_AFTER_MS = 4000;

export function createWriteHealth({ clock, interruptions }: Deps): WriteHealth {
  const inFlight = new Set<{ readonly since: number }>();
  let endedAt = -Infinity;
  let error: string | undefined;
  let endInterruption: (() => void) | undefined;

  const oldestWaitMs = (): number => {
    const [oldest] = inFlight;
    return oldest === undefined ? 0 : clock.monotonic() - oldest.since;
  };
  /** Units that wait for others to end say nothing of the database. */
  const stoodStillMs = (): number => Math.min(oldestWaitMs(), clock.monotonic() - endedAt);
  const wentWell = (): void => {
    endedAt = clock.monotonic();
    error = undefined;
    endInterruption?.();
    endInterruption = undefined;
  };
  const failed = (cause: unknown, since: number): void => {
    // Whatever else a unit throws, the database had answered.
    if (codeOf(cause) !== "unavailable" || cause instanceof Fenced) return wentWell();
    error = messageOf(cause);
    endInterruption ??= interruptions?.begin("store", since);
  };

  return {
    async watch(unit) {
      const here = { since: clock.monotonic() };
      inFlight.add(here);
      try {
        const value = await unit();
        wentWell();
        return value;
      } catch (cause) {
        failed(cause, here.since);
        throw cause;
      } finally {
        inFlight.delete(here);
      }
    },
    writeError: () =>
      error ??
      (stoodStillMs() < HANGS_AFTER_MS
        ? undefined
        : `the database does not answer: a unit has waited for ${Math.round(oldestWaitMs() / 1000)} s, and none has ended for ${Math.round(stoodStillMs() / 1000)} s`),
    oldestWaitMs,
  };
}

import { sleep, type Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";

/** Runs a step of the start, again where PostgreSQL ended it for a reason that passes. */
export type StartStep = <Value>(
  step: () => Promise<Value>,
  during?: { readonly isListening: boolean },
) => Promise<Value>;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves once the database accepts writes. */
  readonly reachDatabase: (isListening: boolean) => Promise<void>;
}

const MAX_ATTEMPTS = 10;
const RETRY_AFTER_MS = 1000;

/**
 * Retries a start step whose transaction failed: PostgreSQL may restart during a start, and it ends the session of a process suspended for a second inside a
 * transaction. After ten attempts, the start fails with the last error.
 */
export function createStartStep({ clock, log, reachDatabase }: Deps): StartStep {
  return async (step, { isListening } = { isListening: false }) => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await step();
      } catch (error) {
        if (codeOf(error) !== "unavailable" || attempt === MAX_ATTEMPTS) throw error;
        log.warn("store.start_retry", { attempt, error: messageOf(error) });
        await sleep(clock, RETRY_AFTER_MS);
        await reachDatabase(isListening);
      }
  };
}

/** Runs a step without retries, for the embedded database, whose files do not change by waiting. */
export const onlyOnce: StartStep = (step) => step();

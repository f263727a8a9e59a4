/** Reported state of a process that starts while PostgreSQL recovers. */
export interface StartSample {
  /** How it ended; undefined while it runs. */
  readonly end: number | NodeJS.Signals | undefined;
  /** Why it is not ready; undefined where it says that it is. */
  readonly unready: string | undefined;
}

/** Readiness message for a read-only database. */
const WAITS = /waiting for the database: the database .*takes no writes/;

/** Returns the errors of a process that started during the recovery, and whether it reported that it waits. */
export function judgeWaiting(samples: readonly StartSample[]): {
  readonly wrong: readonly string[];
  readonly hasWaited: boolean;
} {
  const ended = samples.find(({ end }) => end !== undefined)?.end;
  const isReady = samples.some(({ end, unready }) => end === undefined && unready === undefined);
  return {
    wrong: [
      ...(ended === undefined ? [] : [`ended with ${ended} while PostgreSQL recovered`]),
      ...(isReady ? ["was ready while PostgreSQL recovered"] : []),
    ],
    hasWaited: samples.some(({ unready = "" }) => WAITS.test(unready)),
  };
}

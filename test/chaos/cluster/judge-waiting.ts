/** What a process that starts said of itself while PostgreSQL recovered. */
export interface StartSample {
  /** How it ended; undefined while it runs. */
  readonly end: number | NodeJS.Signals | undefined;
  /** Why it is not ready; undefined where it says that it is. */
  readonly unready: string | undefined;
}

/** What readiness says of a database that answers and takes no writes. */
const WAITS = /waiting for the database: the database .*takes no writes/;

/** What a process did wrong that started meanwhile, and whether it said that it waits for the recovery. */
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

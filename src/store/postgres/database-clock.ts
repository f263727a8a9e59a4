import { sql } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import type { Secret } from "../../kit/crypto/secret.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import { poll } from "../../kit/poll.ts";
import { kyselyOver } from "./dialect.ts";
import { createPool } from "./pool.ts";

/** A clock that shows the time of the database: those of the processes over it differ, and each compares what another has stored. */
export interface DatabaseClock extends Clock {
  /** The median of the latest round trips to the database; undefined before the first. */
  readonly roundTripMs: () => number | undefined;
  readonly close: () => Promise<void>;
}

interface Deps {
  /** Reads the database's time, in ms since the epoch. */
  readonly read: () => Promise<number>;
  readonly clock: Clock;
  readonly log: Log;
}

const READ_INTERVAL_MS = 5000;
const ANSWER_WITHIN_MS = 2000;
/** Number of measurements whose median is used: a single slow response or reconnection has no effect, and a lasting change shows within 15 seconds. */
const ROUND_TRIPS = 5;

/** Rejects if the first reading fails. Between readings, and while readings fail, the time advances with the monotonic clock. */
export async function createDatabaseClock({ read, clock, log }: Deps): Promise<DatabaseClock> {
  /** The time was read at some instant of the way there and back: the offset from the monotonic clock lies between these. */
  const readOffsets = async (): Promise<readonly [least: number, most: number]> => {
    const sentAt = clock.monotonic();
    const now = await read();
    return [now - clock.monotonic(), now - sentAt];
  };
  const [least, most] = await readOffsets();
  let offset = (least + most) / 2;
  const closing = new AbortController();
  /** Without the first reading, which opened the connection. */
  let roundTrips: readonly number[] = [];
  const round = async (): Promise<number> => {
    const [low, high] = await readOffsets();
    roundTrips = [...roundTrips, high - low].slice(-ROUND_TRIPS);
    // Within what is known it stays as it is, so that a slow answer moves nothing.
    offset = Math.min(Math.max(offset, low), high);
    return READ_INTERVAL_MS;
  };
  const running = poll({
    clock,
    signal: closing.signal,
    round,
    onError: (error) => log.warn("store.clock_unread", { error: messageOf(error) }),
    errorDelayMs: READ_INTERVAL_MS,
  });
  return {
    now: () => Math.floor(clock.monotonic() + offset),
    monotonic: clock.monotonic,
    setTimer: clock.setTimer,
    roundTripMs: () => median(roundTrips),
    async close() {
      closing.abort();
      await running;
    },
  };
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

export async function openDatabaseClock(
  url: Secret,
  deps: Pick<Deps, "clock" | "log">,
): Promise<DatabaseClock> {
  const db = kyselyOver(createPool({ url, most: 1, answerWithinMs: ANSWER_WITHIN_MS }));
  const read = async (): Promise<number> => {
    // The store's own function is made with its tables, which may come later.
    const { rows } = await sql<{
      now: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
    return rows[0]?.now ?? Number.NaN;
  };
  try {
    const opened = await createDatabaseClock({ ...deps, read });
    return {
      ...opened,
      async close() {
        await opened.close();
        await db.destroy();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

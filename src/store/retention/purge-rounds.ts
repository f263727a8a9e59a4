import type { Kysely } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Database } from "../tables/database.ts";
import type { StoreAccess } from "./service-days.ts";

/** Rows that are to be purged, of one table or for one reason. */
export interface PurgeSource {
  /** The table, as a rule. */
  readonly name: string;
  /** Within a unit: deletes some rows. */
  readonly deleteChunk: (db: Kysely<Database>, allowed: Allowance) => Promise<PurgedChunk>;
}

/** How much a chunk may be. */
export interface Allowance {
  readonly limit: number;
  /** Whether the time is spent: for a chunk of several statements, which looks in between. */
  readonly isSpent: () => boolean;
}

export interface PurgedChunk {
  readonly hasMore: boolean;
  /** Called once the transaction is committed. */
  readonly committed?: () => void;
}

export interface PurgeRounds {
  /** Deletes a chunk of each source in turn, until none has more or the round ends. */
  readonly run: (sources: readonly PurgeSource[]) => Promise<void>;
}

interface Deps {
  readonly inTx: StoreAccess["inTx"];
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
}

const CHUNKS_A_ROUND = 200;
/** Maximum delay for other transactions, besides their own commit. */
const CHUNK_MS = 5;
const FIRST_ROWS = 400;
const MIN_ROWS = 20;
const MAX_ROWS = 20_000;

export function createPurgeRounds({ inTx, clock, log }: Deps): PurgeRounds {
  const sizes = new Map<string, number>();

  /** Whether there may be more. */
  const purgeChunk = async ({ name, deleteChunk }: PurgeSource): Promise<boolean> => {
    const limit = sizes.get(name) ?? FIRST_ROWS;
    try {
      const { hasMore, committed, tookMs } = await inTx(async (db) => {
        const begunAt = clock.monotonic();
        const isSpent = (): boolean => clock.monotonic() - begunAt >= CHUNK_MS;
        const chunk = await deleteChunk(db, { limit, isSpent });
        return { ...chunk, tookMs: clock.monotonic() - begunAt };
      });
      committed?.();
      if (hasMore) sizes.set(name, nextSize(limit, tookMs));
      return hasMore;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      sizes.set(name, Math.max(MIN_ROWS, Math.floor(limit / 2)));
      log.error("store.purge_failed", { table: name, error: messageOf(error) });
      return false;
    }
  };

  return {
    async run(sources) {
      let chunks = 0;
      let waiting = sources;
      while (waiting.length > 0) {
        const unfinished: PurgeSource[] = [];
        for (const source of waiting) {
          if (chunks === CHUNKS_A_ROUND) return;
          chunks += 1;
          if (await purgeChunk(source)) unfinished.push(source);
        }
        waiting = unfinished;
      }
    },
  };
}

/** How many rows take as long as a chunk may: twice as many at most, for the first may have been the fastest. */
function nextSize(rows: number, tookMs: number): number {
  const fitting = tookMs > 0 ? (rows * CHUNK_MS) / tookMs : Infinity;
  return Math.floor(Math.max(MIN_ROWS, Math.min(fitting, 2 * rows, MAX_ROWS)));
}

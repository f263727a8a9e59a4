import type { Kysely } from "kysely";
import { DatabaseError } from "pg";

import { startOfDay } from "../../results/packing.ts";
import type { Database } from "../../tables/database.ts";
import { listPartitions, type Partition } from "./catalog.ts";

/** Days with a partition, as far as this process knows; a result of any other day is a stray. */
export interface PartitionedDays {
  readonly takes: (startedAt: number) => boolean;
  readonly refresh: () => Promise<readonly Partition[]>;
  /** Runs a work again that met a partition which another process has detached meanwhile. */
  readonly again: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** More than one process ever detaches between two looks. */
const MAX_RUNS = 3;

export async function createPartitionedDays(db: Kysely<Database>): Promise<PartitionedDays> {
  let days: ReadonlySet<number> = new Set();
  const refresh = async (): Promise<readonly Partition[]> => {
    const partitions = await listPartitions(db);
    days = new Set(partitions.filter(({ state }) => state === "attached").map(({ day }) => day));
    return partitions;
  };
  await refresh();
  return {
    takes: (startedAt) => days.has(startOfDay(startedAt)),
    refresh,
    async again(work) {
      for (let runs = 1; ; runs += 1)
        try {
          return await work();
        } catch (error) {
          if (runs === MAX_RUNS || !isWithoutPartition(error)) throw error;
          await refresh();
        }
    },
  };
}

/** A check violation without a constraint: no row of the store's other tables can meet one. */
function isWithoutPartition(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "23514" && error.constraint === undefined;
}

import type { Clock } from "../../../kit/clock.ts";
import { messageOf } from "../../../kit/errors.ts";
import type { Log } from "../../../kit/log.ts";
import { startOfDay } from "../../results/packing.ts";
import { readClock } from "../../tables/engine.ts";
import type { StoreAccess } from "../../retention/service-days.ts";
import { dateOf, DAY_MS, type Partition } from "./catalog.ts";
import { detach, drop, moveUnpackedRows } from "./drop-partition.ts";
import { createPartitions } from "./make-partitions.ts";
import type { PartitionedDays } from "./result-days.ts";

/** Creates partitions ahead of time, and drops those whose results are all packed or expired. Safe to run in several processes. */
export interface PartitionUpkeep {
  /** Makes those of this day and of a week to come that are missing. */
  readonly make: () => Promise<void>;
  /** Drops as well. What it cannot do now is done in a later round. */
  readonly runOnce: () => Promise<void>;
  /** A day that is over, of whose results every one was packed or cannot be. */
  readonly packed: (partition: Partition) => void;
  /** Whole days that ended before that instant are dropped with all that they have. */
  readonly expired: (before: number) => void;
  /** How many days after this one have a partition, without a gap. */
  readonly daysAhead: () => number;
  /** Returns the reason why results will soon be strays; undefined if they will not. */
  readonly missing: () => string | undefined;
}

interface Deps extends StoreAccess {
  readonly days: PartitionedDays;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
}

/** scale.md 3.2: a week in which nobody needs to find out why none is created. */
const DAYS_AHEAD = 7;
/** Less than the ten seconds between two rounds of housekeeping. */
const ROUND_MS = 3000;

export function createPartitionUpkeep(deps: Deps): PartitionUpkeep {
  const { db, inTx, engine, days, clock } = deps;
  /** The store's clock, for that of a process may be wrong. */
  let read = { now: 0, at: clock.monotonic() };
  const today = (): number => startOfDay(read.now + clock.monotonic() - read.at);

  const removal = createRemoval(deps);
  const make = async (): Promise<readonly Partition[]> => {
    read = { now: await readClock(db, engine), at: clock.monotonic() };
    const known = await days.refresh();
    const wanted = Array.from({ length: DAYS_AHEAD + 1 }, (_, index) => today() + index * DAY_MS);
    const missing = wanted.filter((day) => !days.takes(day));
    if (missing.length === 0) return known;
    await createPartitions(inTx, missing);
    return days.refresh();
  };

  return {
    async make() {
      await make();
    },
    async runOnce() {
      const removable = (await make()).filter(
        (each) => each.state !== "attached" || removal.isDroppable(each),
      );
      if (removable.length === 0) return;
      await removal.remove(removable);
      // A table that was detached just now is looked through at once.
      await removal.remove((await days.refresh()).filter(({ state }) => state === "detached"));
    },
    packed: removal.packed,
    expired: removal.expired,
    daysAhead() {
      let ahead = 0;
      while (days.takes(today() + (ahead + 1) * DAY_MS)) ahead += 1;
      return ahead;
    },
    missing() {
      const day = [today(), today() + DAY_MS].find((each) => !days.takes(each));
      return day === undefined
        ? undefined
        : `the table of results has no partition for ${dateOf(day)}`;
    },
  };
}

interface Removal extends Pick<PartitionUpkeep, "packed" | "expired"> {
  readonly isDroppable: (partition: Partition) => boolean;
  /** Goes as far with each as it comes now. */
  readonly remove: (partitions: readonly Partition[]) => Promise<void>;
}

function createRemoval(deps: Deps): Removal {
  const { db, clock, log } = deps;
  const packed = new Set<number>();
  /** How far a table was looked through, by its oid. */
  const looked = new Map<number, number>();
  let expiredBefore = -Infinity;
  const isExpired = ({ day }: Partition): boolean => day + DAY_MS <= expiredBefore;
  const isDroppable = (partition: Partition): boolean =>
    packed.has(partition.oid) || isExpired(partition);
  const dropTable = async (partition: Partition, until: number): Promise<void> => {
    const { oid } = partition;
    let after = looked.get(oid) ?? 0;
    while (!isExpired(partition)) {
      const last = await moveUnpackedRows(deps, partition, after);
      if (last === undefined) break;
      looked.set(oid, (after = last));
      if (clock.monotonic() >= until) return;
    }
    await drop(deps, partition);
    looked.delete(oid);
    packed.delete(oid);
  };
  const remove = async (partitions: readonly Partition[]): Promise<void> => {
    const until = clock.monotonic() + ROUND_MS;
    for (const partition of partitions) {
      try {
        if (partition.state === "detached") await dropTable(partition, until);
        else if (partition.state === "detaching" || isDroppable(partition))
          await detach(db, partition);
      } catch (error) {
        // Another process has done it meanwhile, or does it now, or a reader is in the way.
        log.warn("store.partition_not_dropped", {
          day: dateOf(partition.day),
          error: messageOf(error),
        });
      }
    }
  };

  return {
    isDroppable,
    remove,
    packed: ({ oid }) => void packed.add(oid),
    expired(before) {
      expiredBefore = before;
    },
  };
}

import type { Clock } from "../../kit/clock.ts";
import { RESULTS_KEPT_MS } from "../queries/lifetimes.ts";
import type { Purge } from "../queries/purge.ts";
import type { ResultStorage } from "../results.ts";
import type { BackgroundWorker } from "./background-worker.ts";
import type { GroupCommit } from "./group-commit.ts";

export interface Housekeeping {
  readonly runOnce: () => Promise<void>;
}

interface Deps {
  readonly clock: Pick<Clock, "now">;
  readonly results: ResultStorage;
  readonly purge: Purge;
  readonly commits: GroupCommit;
  readonly worker: BackgroundWorker;
  readonly walBytes: () => number;
}

export const MAX_WAL_BYTES = 16 * 1024 * 1024;

/** Keeps the database small and its write-ahead log short, without ever making the main thread wait for the disk. */
export function createHousekeeping(deps: Deps): Housekeeping {
  const { clock, results, purge, commits, worker, walBytes } = deps;
  return {
    async runOnce() {
      const isCompacted = await results.compact();
      await results.purgeBefore(clock.now() - RESULTS_KEPT_MS);
      await purge.runOnce(isCompacted);
      if (walBytes() < MAX_WAL_BYTES) return;
      await worker.run({ kind: "write-back" });
      await commits.whilePaused(() => worker.run({ kind: "restart-log" }));
    },
  };
}

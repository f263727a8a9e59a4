import type { Packing } from "../results/packing.ts";
import type { Purge } from "../retention/purge.ts";
import type { ResultStorage } from "../results.ts";
import type { BackgroundWorker } from "./background-worker.ts";
import type { DiskShortage } from "./disk/shortage.ts";
import type { GroupCommit } from "./group-commit.ts";

export interface Housekeeping {
  readonly runOnce: () => Promise<void>;
}

interface Deps {
  readonly results: Pick<ResultStorage, "compact">;
  readonly purge: Purge;
  readonly packing: Packing;
  readonly commits: GroupCommit;
  readonly worker: BackgroundWorker;
  readonly walBytes: () => number;
  readonly shortage: Pick<DiskShortage, "isShort" | "end">;
}

export const MAX_WAL_BYTES = 16 * 1024 * 1024;

/** Keeps the database small and its write-ahead log short, without ever making the main thread wait for the disk. */
export function createHousekeeping(deps: Deps): Housekeeping {
  const { results, purge, packing, commits, worker, walBytes, shortage } = deps;
  const shortenLog = async (keepsSpace: boolean): Promise<void> => {
    await worker.run({ kind: "write-back" });
    await commits.whilePaused(
      async () => void (await worker.run({ kind: "restart-log", keepsSpace })),
    );
  };
  return {
    async runOnce() {
      if (shortage.isShort()) {
        // Rearranging needs space before it frees any.
        await shortenLog(true);
        if (!(await worker.run({ kind: "restore-reserve" }))) return;
        shortage.end();
      }
      const compacted = await Promise.allSettled([results.compact()]);
      // Results that cannot be compacted do not prevent purging the rest.
      await purge.runOnce(compacted[0].status === "fulfilled" && compacted[0].value);
      if (compacted[0].status === "rejected") throw compacted[0].reason;
      await packing.runOnce();
      if (walBytes() < MAX_WAL_BYTES) return;
      await shortenLog(false);
    },
  };
}

import type { Result } from "../../domain/run/result.ts";
import type { Clock } from "../../kit/clock.ts";
import type { ResultStorage } from "../results.ts";
import type { BackgroundWorker } from "./background-worker.ts";
import type { GroupCommit } from "./group-commit.ts";
import { dayOf } from "./result-days.ts";
import type { Results } from "./results.ts";

interface Deps {
  readonly results: Results;
  readonly commits: GroupCommit;
  readonly worker: BackgroundWorker;
  readonly clock: Pick<Clock, "monotonic">;
}

const COMPACT_AT_RESULTS = 50_000;
const COMPACT_AFTER_MS = 600_000;

/** The embedded engine's way to store results: a journal in memory, and a table a day that is dropped whole. */
export function createResultStorage({ results, commits, worker, clock }: Deps): ResultStorage {
  let compactedAt = clock.monotonic();
  return {
    last: results.last,
    page: results.page,
    lastTicks: (checkNos) => Promise.resolve(results.lastTicks(checkNos)),
    append: (result: Result) =>
      new Promise((resolve, reject) => {
        commits.add({ run: undefined, results: [result], resolve, reject });
      }),
    async compact() {
      const isDue =
        results.uncompacted() >= COMPACT_AT_RESULTS ||
        clock.monotonic() - compactedAt >= COMPACT_AFTER_MS;
      if (!isDue) return false;
      for (const { write, committed } of results.beginCompaction()) {
        await new Promise<void>((resolve, reject) => {
          const run = async (): Promise<void> => void (await write());
          commits.add({ run, results: [], committed, resolve, reject });
        });
      }
      compactedAt = clock.monotonic();
      return true;
    },
    async purgeBefore(at) {
      for (const day of results.days.list().filter((kept) => kept < dayOf(at))) {
        results.days.forget(day);
        await commits.whilePaused(() => worker.run({ kind: "drop", table: `results_${day}` }));
      }
    },
    purgeCheck: results.days.purge,
  };
}

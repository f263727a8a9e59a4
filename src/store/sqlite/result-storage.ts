import type { Clock } from "../../kit/clock.ts";
import type { ResultStorage } from "../results.ts";
import { createSharedWait } from "../shared-commits.ts";
import type { Store } from "../store.ts";
import { compactChunk, type InTransaction } from "./retention/compact-chunk.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { RejectedResults } from "./retention/rejected-results.ts";
import type { Results } from "./results.ts";
import type { PendingWrite } from "./thread/pending-write.ts";

interface Deps {
  readonly results: Results;
  readonly commits: GroupCommit;
  readonly rejected: RejectedResults;
  /** Called once the gap of a result's check is durably closed. */
  readonly gapClosed: () => void;
  readonly clock: Clock;
}

const COMPACT_AT_RESULTS = 50_000;
const COMPACT_AFTER_MS = 600_000;

/** Units without results. */
export function createInTransaction(commits: Pick<GroupCommit, "add">): InTransaction {
  return (run, committed = () => {}) =>
    new Promise((resolve, reject) => {
      commits.add({ run, results: [], committed, resolve, reject });
    });
}

/** The embedded engine's way to store results: a journal in memory, and a table a day. */
export function createResultStorage({
  results,
  commits,
  rejected,
  gapClosed,
  clock,
}: Deps): Omit<ResultStorage, "append" | "recent"> & Pick<Store, "append"> {
  const inTx = createInTransaction(commits);
  const wait = createSharedWait(clock);
  let compactedAt = clock.monotonic();
  return {
    // Readers that see the state of the commit in progress must also see its result.
    last: (checkNo, by) => results.with(commits.visible()).last(checkNo, by),
    page: results.page,
    summaries: results.summaries,
    latest: (checkNos) => results.with(commits.visible()).latest(checkNos),
    append(result, { closesGap = false, mayWait = false } = {}) {
      return new Promise((resolve, reject) => {
        const unit: PendingWrite = {
          run: undefined,
          results: [result],
          resolve: () => resolve("stored"),
          reject,
          closesGapOf: closesGap ? result.checkNo : undefined,
          committed: closesGap ? gapClosed : undefined,
          isBulk: mayWait,
        };
        if (mayWait) wait(() => commits.add(unit));
        else commits.add(unit);
      });
    },
    async compact() {
      const isDue =
        results.uncompacted() >= COMPACT_AT_RESULTS ||
        clock.monotonic() - compactedAt >= COMPACT_AFTER_MS;
      if (!isDue) return false;
      for (const chunk of results.beginCompaction()) await compactChunk(chunk, { inTx, rejected });
      rejected.report();
      compactedAt = clock.monotonic();
      return true;
    },
  };
}

import type { Result } from "../../domain/run/result.ts";
import type { LatestResult, ResultQuery, StoredResult } from "../results.ts";

/** How an engine reads results that are rows. */
export interface RowReads {
  /** Reads the first results in the order of the query. */
  readonly read: (
    query: ResultQuery,
    limit: number,
  ) => readonly Result[] | Promise<readonly Result[]>;
  /** Start and tick of the latest row of each of these checks that has any. */
  readonly latest: (
    checkNos: readonly number[],
  ) => ReadonlyMap<number, LatestResult> | Promise<ReadonlyMap<number, LatestResult>>;
  /** Adds to results what their check was when they ran. */
  readonly withCheck: (
    checkNo: number,
    results: readonly Result[],
  ) => readonly StoredResult[] | Promise<readonly StoredResult[]>;
  readonly pageRows: number;
}

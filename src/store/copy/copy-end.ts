import type { Kysely } from "kysely";

import type { Result } from "../../domain/run/result.ts";
import type { Database } from "../tables/database.ts";
import type { ResultQuery } from "../results.ts";
import type { CopiedRow } from "./rows.ts";

/** A database with the store's tables that is copied from or to, while no service runs on it. */
export interface CopyEnd {
  readonly db: Kysely<Database>;
  /** Reads the first results of a query that are not packed. Packed results are rows of another table. */
  readonly readResults: (query: ResultQuery, limit: number) => Promise<readonly Result[]>;
  /** The columns of a table that are inserted; the database makes the others. */
  readonly columns: (table: string) => Promise<readonly string[]>;
  /** Inserts rows read from the same table, including generated numbers. */
  readonly insert: (
    connection: Kysely<Database>,
    rows: { readonly table: string; readonly rows: readonly CopiedRow[] },
  ) => Promise<void>;
  /** Stores results; a result that is there already is stored once. */
  readonly append: (results: readonly Result[]) => Promise<void>;
  /** Last generated number by table, because numbers are never reused. */
  readonly lastNumbers: () => Promise<ReadonlyMap<string, number>>;
  readonly setLastNumber: (table: string, last: number) => Promise<void>;
  /** Once all rows are there: makes what only this engine keeps, and resolves when everything is on disk. */
  readonly finish: () => Promise<void>;
  /** Whether a service runs on it, as far as only looking at it shows. */
  readonly isInUse: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

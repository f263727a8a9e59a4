import type { Generated } from "kysely";

/**
 * The tables of both engines, as Kysely knows them. Each aggregate adds its own beside the queries of it, so that a table is described
 * in one file; what an engine alone has is in its dialect.
 */
export interface Database {
  readonly rejected_results: RejectedResultTable;
  readonly meta: MetaTable;
}

export interface RejectedResultTable {
  readonly seq: Generated<number>;
  readonly check_no: number;
  readonly rejected_at: number;
  readonly reason: string;
  /** JSON, as far as it can be written so. */
  readonly result: string;
}

export interface MetaTable {
  readonly key: string;
  readonly value: string;
}

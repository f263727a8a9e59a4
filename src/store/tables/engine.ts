import type { Kysely, RawBuilder, SelectQueryBuilder } from "kysely";

import type { AlertTable } from "./alerts.ts";
import type { Database } from "./database.ts";

/** An address as alerts name it. The alerts to one are claimed by one notifier at a time. */
export type Lane = Pick<AlertTable, "contact_id" | "address_id">;

/** Differences between database engines that the queries need. */
export interface Engine {
  /** The store's clock, in ms since the epoch. */
  readonly now: () => RawBuilder<number>;
  /** Rows with a column `value`, one for each element of an array in JSON. */
  readonly elementsOf: (json: string) => RawBuilder<unknown>;
  /** The engine's own pointer to a row, for deletes a chunk at a time. */
  readonly rowPointer: "rowid" | "ctid";
  /** Locks the selected rows to the end of the unit, and waits for units that have locked them. */
  readonly lockRows: <Tables, Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
  ) => SelectQueryBuilder<Tables, Table, Row>;
  /** Locks those of the selected rows that no other unit has locked, and leaves the others out. */
  readonly lockFreeRows: <Tables, Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
  ) => SelectQueryBuilder<Tables, Table, Row>;
  /** Inserts missing lanes for new alerts. */
  readonly insertLanes: (
    db: Kysely<Database>,
    alerts: readonly Pick<AlertTable, "account_id" | "contact_id" | "address_id">[],
  ) => Promise<void>;
  /** Locks the lanes that no other transaction has locked, and returns them. */
  readonly lockLanes: (db: Kysely<Database>, lanes: readonly Lane[]) => Promise<readonly Lane[]>;
  /** Adds the transaction's writes so far to account usage, which may otherwise be counted at commit. */
  readonly countUsage: (db: Kysely<Database>) => Promise<void>;
  /** Waits for units that have locked the same name, and locks it to the end of this one. */
  readonly lockName: (db: Kysely<Database>, name: string) => Promise<void>;
}

/** The store's clock as a number. */
export async function readClock(db: Kysely<Database>, { now }: Engine): Promise<number> {
  const row = await db.selectNoFrom(now().as("now")).executeTakeFirstOrThrow();
  return row.now;
}

/** Locks the states of checks, in ascending order, so that two units that lock several never wait for each other. */
export async function lockChecks(
  db: Kysely<Database>,
  { lockRows }: Engine,
  checkNos: readonly number[],
): Promise<void> {
  await lockRows(
    db
      .selectFrom("check_states")
      .select("check_no")
      .where("check_no", "in", checkNos)
      .orderBy("check_no"),
  ).execute();
}

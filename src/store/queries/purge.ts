import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import type { ResultStorage } from "../results.ts";
import type { Engine } from "./engine.ts";
import { lifetimes } from "./lifetimes.ts";
import type { Database } from "./tables.ts";

/** Removes what was deleted, or is too old, in units short enough not to delay others. */
export interface Purge {
  /** `isCompacted` says that every result stored before is where it can be purged. */
  readonly runOnce: (isCompacted: boolean) => Promise<void>;
}

interface Deps {
  readonly db: Kysely<Database>;
  readonly inUnit: <Value>(work: (db: Kysely<Database>) => Promise<Value>) => Promise<Value>;
  readonly engine: Engine;
  readonly results: Pick<ResultStorage, "purgeCheck">;
  readonly clock: Pick<Clock, "now">;
}

const CHUNK_ROWS = 400;
/** A month of minutes of one check takes 112 chunks, a chunk about a millisecond. */
const CHUNKS_A_ROUND = 200;

export function createPurge(deps: Deps): Purge {
  const { db, inUnit, clock } = deps;
  /** Checks that were gone a round ago: since then, runs of them that were under way have ended. */
  let gone: readonly number[] = [];
  /** Those of them whose every result is compacted. */
  let purgeable: readonly number[] = [];

  return {
    async runOnce(isCompacted) {
      if (isCompacted) purgeable = gone;
      let chunks = 0;
      /** False where the chunks of this round did not suffice. */
      const purgeAll = async (
        purgeChunk: (db: Kysely<Database>) => Promise<number>,
      ): Promise<boolean> => {
        while (chunks < CHUNKS_A_ROUND) {
          chunks += 1;
          if ((await inUnit(purgeChunk)) < CHUNK_ROWS) return true;
        }
        return false;
      };
      for (const old of oldRows(clock.now()))
        if (await exists(db, old)) await purgeAll((unit) => deleteRows(unit, deps, old));
      if (await hasDeletedAccount(db)) await purgeAll((unit) => purgeAccounts(unit, deps));
      let purged = 0;
      for (const checkNo of purgeable) {
        if (!(await purgeAll((unit) => purgeCheck(unit, deps, checkNo)))) break;
        purged += 1;
      }
      purgeable = purgeable.slice(purged);
      gone = await goneChecks(db);
    },
  };
}

/** Rows of one table to be deleted, up to a limit. */
interface Rows {
  readonly table: string;
  readonly condition: ReturnType<typeof sql<boolean>>;
  readonly limit?: number;
}

async function deleteRows(
  db: Kysely<Database>,
  { engine }: Pick<Deps, "engine">,
  { table, condition, limit = CHUNK_ROWS }: Rows,
): Promise<number> {
  const pointer = sql.ref(engine.rowPointer);
  const { numAffectedRows = 0n } =
    await sql`delete from ${sql.table(table)} where ${pointer} in (select ${pointer} from ${sql.table(table)} where ${condition} limit ${limit})`.execute(
      db,
    );
  return Number(numAffectedRows);
}

async function exists(db: Kysely<Database>, { table, condition }: Rows): Promise<boolean> {
  const { rows } =
    await sql`select 1 as found from ${sql.table(table)} where ${condition} limit 1`.execute(db);
  return rows.length > 0;
}

const tables = Object.entries(lifetimes);

function oldRows(now: number): readonly Rows[] {
  return tables.flatMap(([table, lifetime]) => {
    if (!("age" in lifetime) || lifetime.age === undefined) return [];
    const { column, keptMs } = lifetime.age;
    return [{ table, condition: sql<boolean>`${sql.ref(column)} < ${now - keptMs}` }];
  });
}

const deletedAccounts = sql`(select id from accounts where status = 'deleted')`;
const ofDeletedAccount = sql<boolean>`account_id in ${deletedAccounts}`;

function hasDeletedAccount(db: Kysely<Database>): Promise<boolean> {
  return exists(db, { table: "accounts", condition: sql<boolean>`status = 'deleted'` });
}

/** All that deleted accounts have but checks; an account itself once its checks are purged. */
async function purgeAccounts(db: Kysely<Database>, deps: Deps): Promise<number> {
  let purged = 0;
  for (const [table, lifetime] of tables) {
    if (!("account" in lifetime)) continue;
    const limit = CHUNK_ROWS - purged;
    purged += await deleteRows(db, deps, { table, condition: ofDeletedAccount, limit });
  }
  if (purged === CHUNK_ROWS) return purged;
  await db
    .deleteFrom("accounts")
    .where("status", "=", "deleted")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("checks").select("no").whereRef("checks.account_id", "=", "accounts.id"),
        ),
      ),
    )
    .execute();
  return purged;
}

/** All rows by the number of a check, its results first, and the check itself once they are gone. */
async function purgeCheck(db: Kysely<Database>, deps: Deps, checkNo: number): Promise<number> {
  let purged = await deps.results.purgeCheck(checkNo, CHUNK_ROWS);
  for (const [table, lifetime] of tables) {
    if (!("check" in lifetime)) continue;
    const condition = sql<boolean>`check_no = ${checkNo}`;
    purged += await deleteRows(db, deps, { table, condition, limit: CHUNK_ROWS - purged });
  }
  if (purged === CHUNK_ROWS) return purged;
  await db.deleteFrom("checks").where("no", "=", checkNo).execute();
  await db.deleteFrom("removed_checks").where("check_no", "=", checkNo).execute();
  return purged;
}

/** Numbers of the checks that were removed: alone, or with their account. */
async function goneChecks(db: Kysely<Database>): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("removed_checks")
    .select("check_no")
    .unionAll(
      db
        .selectFrom("checks")
        .innerJoin("accounts", "accounts.id", "checks.account_id")
        .where("accounts.status", "=", "deleted")
        .select("checks.no as check_no"),
    )
    .execute();
  return rows.map(({ check_no }) => check_no);
}

import { sql, type Kysely } from "kysely";

import type { Secret } from "../../kit/crypto/secret.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { Conflict, NotFound } from "../../kit/errors.ts";
import { refuseUnfinishedCopy } from "../copy/copy-progress.ts";
import { KEY_CHECK, createKeyCheck, verifyKeyCheck } from "../sealed-word.ts";
import type { Database } from "../tables/database.ts";
import { kyselyOver } from "./dialect.ts";
import { migrate, missingIn } from "./migrate.ts";
import { createPool } from "./pool.ts";

/** Makes or migrates the tables, and throws Conflict where what is in them was sealed with another key. Any number may do so at once. */
export async function prepareDatabase({
  url,
  sealer,
}: {
  readonly url: Secret;
  readonly sealer: Sealer;
}): Promise<void> {
  // A migration takes as long as it takes.
  const db = kyselyOver(createPool({ url, most: 1, answerWithinMs: 0 }));
  try {
    await migrate(db);
    await forgetChangesOfAnother(db);
    await checkKey(db, sealer);
  } finally {
    await db.destroy();
  }
}

/** Throws if there is no installation that this version can read unchanged, with this key; changes nothing. */
export async function verifyInstallation(db: Kysely<Database>, sealer: Sealer): Promise<void> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('migrations') is not null as is_there`.execute(db);
  if (rows[0]?.is_there !== true)
    throw new NotFound("the database has no tables of an installation");
  if ((await missingIn(db)).length > 0)
    throw new Conflict(
      "this program is newer than its database: start it on the database once, which brings the tables up to date",
    );
  await refuseUnfinishedCopy(db);
  await checkWord(db, sealer);
}

/** After a restore, transaction IDs of another server count as uncommitted until this server reaches them, which takes years. */
async function forgetChangesOfAnother(db: Kysely<Database>): Promise<void> {
  await sql`delete from changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(db);
}

/** If two processes start together, the first one stores the key check. */
async function checkKey(db: Kysely<Database>, sealer: Sealer): Promise<void> {
  await db
    .insertInto("meta")
    .values({ key: KEY_CHECK, value: createKeyCheck(sealer) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await checkWord(db, sealer);
}

async function checkWord(db: Kysely<Database>, sealer: Sealer): Promise<void> {
  const { value } = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", KEY_CHECK)
    .executeTakeFirstOrThrow();
  const said =
    "the database was written with another instance key: every process over it needs the same";
  verifyKeyCheck(sealer, value, said);
}

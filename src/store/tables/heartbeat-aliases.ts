import type { Kysely, Selectable } from "kysely";

import type { StoredAlias, AccountAlias } from "../imports/heartbeat-aliases.ts";
import type { Database } from "./database.ts";
import type { HeartbeatAliasTable } from "./import-tables.ts";

export function createHeartbeatAliasReads(db: Kysely<Database>) {
  const withCheck = db
    .selectFrom("heartbeat_aliases")
    .innerJoin("checks", "checks.no", "heartbeat_aliases.check_no")
    .selectAll("heartbeat_aliases")
    .select("checks.id");
  return {
    /** The checks that have the address, each of another account: at most `most`, those that got it last. */
    async listHolders(digest: string, most: number): Promise<readonly AccountAlias[]> {
      const rows = await withCheck
        .where("digest", "=", digest)
        .orderBy("heartbeat_aliases.created_at", "desc")
        .orderBy("check_no", "desc")
        .limit(most)
        .execute();
      return rows.map((row) => ({ ...fromRow(row), checkId: row.id }));
    },
    /** The oldest first. */
    async listOf(checkNo: number): Promise<readonly StoredAlias[]> {
      const rows = await db
        .selectFrom("heartbeat_aliases")
        .selectAll()
        .where("check_no", "=", checkNo)
        .orderBy("created_at")
        .orderBy("digest")
        .execute();
      return rows.map(fromRow);
    },
    /** Of an account, in the order of its checks. */
    async list(accountId: string): Promise<readonly AccountAlias[]> {
      const rows = await withCheck
        .where("checks.account_id", "=", accountId)
        .orderBy("check_no")
        .orderBy("heartbeat_aliases.created_at")
        .orderBy("digest")
        .execute();
      return rows.map((row) => ({ ...fromRow(row), checkId: row.id }));
    },
  };
}

export function createHeartbeatAliasWrites(db: Kysely<Database>) {
  return {
    /** False if a check of the account has it already. */
    async insert({
      digest,
      accountId,
      checkNo,
      system,
      hint,
      createdAt,
    }: StoredAlias): Promise<boolean> {
      const inserted = await db
        .insertInto("heartbeat_aliases")
        .values({
          digest,
          account_id: accountId,
          check_no: checkNo,
          system,
          hint,
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.columns(["digest", "account_id"]).doNothing())
        .returning("digest")
        .executeTakeFirst();
      return inserted !== undefined;
    },
    async remove({ digest, accountId }: Pick<StoredAlias, "digest" | "accountId">): Promise<void> {
      await db
        .deleteFrom("heartbeat_aliases")
        .where("digest", "=", digest)
        .where("account_id", "=", accountId)
        .execute();
    },
  };
}

function fromRow(row: Selectable<HeartbeatAliasTable>): StoredAlias {
  return {
    digest: row.digest,
    accountId: row.account_id,
    checkNo: row.check_no,
    system: row.system,
    hint: row.hint,
    createdAt: row.created_at,
  };
}

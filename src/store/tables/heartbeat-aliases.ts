import type { Kysely, Selectable } from "kysely";

import type { AliasSystem } from "../../domain/heartbeat/heartbeat-alias.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly heartbeat_aliases: HeartbeatAliasTable;
  }
}

interface HeartbeatAliasTable {
  readonly digest: string;
  readonly account_id: string;
  readonly check_no: number;
  readonly system: AliasSystem;
  readonly hint: string;
  readonly created_at: number;
}

/** An address that the heartbeats of a check had in another system. */
export interface StoredAlias {
  /** A hash of the address. */
  readonly digest: string;
  /** Account of the check. */
  readonly accountId: string;
  readonly checkNo: number;
  readonly system: AliasSystem;
  /** How people recognise it. */
  readonly hint: string;
  readonly createdAt: number;
}

export interface AccountAlias extends StoredAlias {
  readonly checkId: string;
}

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
        .orderBy(
          "heartbeat_aliases.created_at",
          /* guard: old addresses of who came first = "asc" */ "desc",
        )
        .orderBy("check_no", "desc")
        // guard: checks of an old address
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
    /** Lists aliases of an account, ordered by check. */
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
        // guard: removal of one's own old address
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

import type { Kysely } from "kysely";

import type { TokenReads, TokenWrites } from "../tokens.ts";
import type { Database } from "./tables.ts";

export function createTokens(db: Kysely<Database>): TokenReads & TokenWrites {
  return {
    async list() {
      const rows = await db
        .selectFrom("tokens")
        .selectAll()
        .orderBy("created_at")
        .orderBy("digest")
        .execute();
      return rows.map((row) => ({
        digest: row.digest,
        accountId: row.account_id,
        label: row.label,
        createdAt: row.created_at,
        compatibility: row.compatibility,
      }));
    },
    async insert({ digest, accountId, label, createdAt, compatibility }) {
      await db
        .insertInto("tokens")
        .values({ digest, account_id: accountId, label, created_at: createdAt, compatibility })
        .execute();
    },
    async remove(digest) {
      await db.deleteFrom("tokens").where("digest", "=", digest).execute();
    },
  };
}

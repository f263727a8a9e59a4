import type { Kysely, Selectable } from "kysely";

import type { Token } from "../../../domain/account/token.ts";
import type { TokenReads, TokenWrites } from "../../identity/tokens.ts";
import type { Database, TokenTable } from "../tables.ts";

export function createTokens(db: Kysely<Database>): TokenReads & TokenWrites {
  const byAge = db.selectFrom("tokens").selectAll().orderBy("created_at").orderBy("digest");
  return {
    async list() {
      return (await byAge.execute()).map(fromRow);
    },
    async listOf(accountId) {
      return (await byAge.where("account_id", "=", accountId).execute()).map(fromRow);
    },
    async insert({ digest, accountId, label, createdAt, compatibility, access, expiresAt }) {
      await db
        .insertInto("tokens")
        .values({
          digest,
          account_id: accountId,
          label,
          created_at: createdAt,
          compatibility,
          access: access ?? "write",
          expires_at: expiresAt ?? null,
          used_at: null,
        })
        .execute();
    },
    async remove(digest) {
      await db.deleteFrom("tokens").where("digest", "=", digest).execute();
    },
    async noteUse({ digest, at, since }) {
      await db
        .updateTable("tokens")
        .set({ used_at: at })
        .where("digest", "=", digest)
        .where((eb) => eb.or([eb("used_at", "is", null), eb("used_at", "<=", since)]))
        .execute();
    },
  };
}

function fromRow(row: Selectable<TokenTable>): Token {
  return {
    digest: row.digest,
    accountId: row.account_id,
    label: row.label,
    createdAt: row.created_at,
    compatibility: row.compatibility,
    access: row.access,
    expiresAt: row.expires_at ?? undefined,
    usedAt: row.used_at ?? undefined,
  };
}

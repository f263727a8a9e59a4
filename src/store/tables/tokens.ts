import type { Kysely, Selectable } from "kysely";

import type {
  Token,
  NewToken,
  CompatibilityMode,
  TokenAccess,
} from "../../domain/account/token.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly tokens: TokenTable;
  }
}

interface TokenTable {
  readonly digest: string;
  readonly account_id: string;
  readonly label: string;
  readonly created_at: number;
  readonly compatibility: CompatibilityMode;
  readonly access: TokenAccess;
  readonly expires_at: number | null;
  readonly used_at: number | null;
}

export function createTokenReads(db: Kysely<Database>) {
  const byAge = db.selectFrom("tokens").selectAll().orderBy("created_at").orderBy("digest");
  return {
    /** Lists tokens of all accounts, oldest first. */
    async list(): Promise<readonly Token[]> {
      return (await byAge.execute()).map(fromRow);
    },
    /** Lists tokens of one account, oldest first. */
    async listOf(accountId: string): Promise<readonly Token[]> {
      return (await byAge.where("account_id", "=", accountId).execute()).map(fromRow);
    },
  };
}

export function createTokenWrites(db: Kysely<Database>) {
  return {
    async insert({
      digest,
      accountId,
      label,
      createdAt,
      compatibility,
      access,
      expiresAt,
    }: NewToken): Promise<void> {
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
    async remove(digest: string): Promise<void> {
      await db.deleteFrom("tokens").where("digest", "=", digest).execute();
    },
    /** Records that a request carried the token, unless a use after `since` is already recorded. */
    async noteUse({
      digest,
      at,
      since,
    }: {
      readonly digest: string;
      readonly at: number;
      readonly since: number;
    }): Promise<void> {
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

import type { Kysely } from "kysely";

import type { Usage } from "../../domain/account/limits.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly account_usage: AccountUsageTable;
  }
}

interface AccountUsageTable {
  readonly account_id: string;
  readonly kind: string;
  /** Usage of the kind by the account and its subaccounts; maintained by the database. */
  readonly used: number;
}

/** The counts themselves are kept by triggers, so that no way in which a row comes or goes is forgotten. */
export function createUsageReads(db: Kysely<Database>) {
  return {
    /** Returns the usage of an account with its subaccounts. After a transaction adds to it, others cannot change it until that ends. */
    async of(accountId: string): Promise<Usage> {
      const rows = await db
        .selectFrom("account_usage")
        .select(["kind", "used"])
        .where("account_id", "=", accountId)
        .execute();
      return usageOf(rows);
    },
    /** Maximum usage of any account, by kind. */
    async most(): Promise<Usage> {
      const rows = await db
        .selectFrom("account_usage")
        .select((eb) => ["kind", eb.fn.max("used").as("used")])
        .groupBy("kind")
        .execute();
      return usageOf(rows);
    },
  };
}

function usageOf(rows: readonly { readonly kind: string; readonly used: number }[]): Usage {
  return Object.fromEntries(rows.map(({ kind, used }) => [kind, used]));
}

import type { Kysely } from "kysely";

import type { Usage } from "../../domain/account/limits.ts";
import type { UsageReads } from "../usage.ts";
import type { Database } from "./tables.ts";

/** The counts themselves are kept by triggers, so that no way in which a row comes or goes is forgotten. */
export function createUsage(db: Kysely<Database>): UsageReads {
  return {
    async of(accountId) {
      const rows = await db
        .selectFrom("account_usage")
        .select(["kind", "used"])
        .where("account_id", "=", accountId)
        .execute();
      return usageOf(rows);
    },
    async most() {
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

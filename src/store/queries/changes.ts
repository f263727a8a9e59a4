import type { Kysely } from "kysely";

import type { ChangeWrites } from "../changes.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./tables.ts";

export function createChanges(
  db: Kysely<Database>,
  { engine }: { readonly engine: Engine },
): ChangeWrites {
  return {
    async record({ accountId, checkNo }) {
      await db
        .insertInto("changes")
        .values({ account_id: accountId, check_no: checkNo ?? null, at: engine.now() })
        .execute();
    },
  };
}

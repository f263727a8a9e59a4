import type { Kysely } from "kysely";

import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { CheckRecord } from "../../checks.ts";
import type { Database } from "../database.ts";
import { records } from "./check-records.ts";
import { recordFromRow } from "./check-row.ts";

interface Deps {
  readonly sealer: Sealer;
}

/** What is read of checks to show it to strangers. */
export function createPublicReads(db: Kysely<Database>, { sealer }: Deps) {
  const activeAccounts = db.selectFrom("accounts").select("id").where("status", "=", "active");
  // Built once: building a query costs as much as running it.
  const ofActiveAccounts = records(db).where("checks.account_id", "in", activeAccounts);
  return {
    /** By its `uuid`, which anybody may have; undefined where it is not public, or its account is not active. */
    async findPublic(uuid: string): Promise<CheckRecord | undefined> {
      const row = await ofActiveAccounts
        .where("checks.uuid", "=", uuid)
        .where("checks.public", "=", 1)
        .executeTakeFirst();
      return row && recordFromRow(row, sealer);
    },
  };
}

import { sql, type Kysely } from "kysely";

import type { Sealer } from "../../../kit/crypto/seal.ts";
import { Conflict } from "../../../kit/errors.ts";
import type { ClaimedAlert, Bundle, NewBundle } from "../alerts.ts";
import type { Database } from "../database.ts";
import { waiting } from "./alert-line.ts";
import { renderedColumns } from "./alert-row.ts";
import { held } from "./holds.ts";

export function createBundleReads(db: Kysely<Database>) {
  return {
    async findBundle(id: string): Promise<Bundle | undefined> {
      const row = await db
        .selectFrom("bundles")
        .select(["id", "size", "message"])
        .where("id", "=", id)
        .executeTakeFirst();
      return row && { ...row };
    },
  };
}

export function createBundleWrites(db: Kysely<Database>, sealer: Sealer) {
  const updateClaimed = ({ alertId, attempt }: ClaimedAlert) =>
    db.updateTable("alerts").where("id", "=", alertId).where("attempts", "<=", attempt);
  return {
    /** Stores the one message of several alerts; they leave their earlier bundles. Throws Conflict where one was claimed meanwhile. */
    async bundle({ id, accountId, message, members }: NewBundle): Promise<void> {
      // If the account was purged meanwhile, this inserts nothing and the conflict below applies.
      await db
        .insertInto("bundles")
        .columns(["id", "account_id", "message", "size"])
        .expression((eb) =>
          eb
            .selectFrom("accounts")
            .where("accounts.id", "=", accountId)
            .select((account) => [
              account.val(id).as("id"),
              "accounts.id as account_id",
              account.val(message).as("message"),
              account.cast<number>(account.val(members.length), "bigint").as("size"),
            ]),
        )
        .execute();
      for (const { wording, ...member } of members) {
        const { numUpdatedRows } = await updateClaimed(member)
          .set({ bundle: id, ...renderedColumns(wording, sealer) })
          .executeTakeFirst();
        if (numUpdatedRows === 0n)
          throw new Conflict(`alert ${JSON.stringify(member.alertId)}: claimed meanwhile`);
      }
    },
    /** Takes alerts that were not claimed meanwhile out of their bundles: each is sent on its own. */
    async unbundle(members: readonly ClaimedAlert[]): Promise<void> {
      for (const member of members) await updateClaimed(member).set({ bundle: null }).execute();
    },
  };
}

interface BundlePage {
  /** Bundles are looked at in the order of their ids, from beyond this one. */
  readonly after: string;
  readonly limit: number;
}

/** Removes unused bundles up to the limit. Returns the last one examined; undefined at the end. */
export async function removeUnusedBundles(
  db: Kysely<Database>,
  { after, limit }: BundlePage,
): Promise<string | undefined> {
  const page = await db
    .selectFrom("bundles")
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  const last = page.at(-1);
  if (last === undefined) return undefined;
  await db
    .deleteFrom("bundles")
    .where("id", ">", after)
    .where("id", "<=", last.id)
    // Not an anti-join, for which all alerts may be read.
    .where(
      (eb) =>
        eb
          .selectFrom("alerts")
          .select("seq")
          .where("bundle", "=", sql.ref<string>("bundles.id"))
          .where("status", "in", [waiting, held])
          .limit(1),
      "is",
      null,
    )
    .execute();
  return page.length < limit ? undefined : last.id;
}

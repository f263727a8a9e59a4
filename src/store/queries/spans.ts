import type { Kysely, SelectQueryBuilder, UpdateQueryBuilder, UpdateResult } from "kysely";

import type { DropReason } from "../../domain/alert.ts";
import { dropUnsent } from "./alerts.ts";
import type { Database } from "./tables.ts";
import { checksInMaintenance } from "./maintenance-checks.ts";

/** One check, or all of an account. */
export type CheckSelection = { readonly no: number } | { readonly accountId: string };

/**
 * Brings the spans of checks in line with their switches, what holds them off and their account's status. A check runs exactly while its enabled
 * span is open. When that closes so does the down span, and what has not begun to leave is dropped.
 */
export async function syncSpans(
  db: Kysely<Database>,
  checks: CheckSelection,
  { at, reason }: { readonly at: number; readonly reason: DropReason },
): Promise<void> {
  const chosen =
    "no" in checks
      ? db.selectFrom("checks").where("checks.no", "=", checks.no)
      : db.selectFrom("checks").where("checks.account_id", "=", checks.accountId);
  const on = chosen
    .innerJoin("accounts", "accounts.id", "checks.account_id")
    .where("checks.enabled", "=", 1)
    .where("checks.disabled_with_all", "=", 0)
    .where("checks.no", "not in", checksInMaintenance(db))
    .where("accounts.status", "=", "active");
  const off = chosen.select("checks.no").where("checks.no", "not in", on.select("checks.no"));
  if ("accountId" in checks) await raiseRevisions(db, off);
  await closeSpans(db, at).where("check_no", "in", off).execute();
  await dropUnsent(db, { reason, at }).where("check_no", "in", off).execute();
  await db
    .insertInto("spans")
    .columns(["check_no", "kind", "start_at"])
    .expression(
      on.select((eb) => [
        "checks.no",
        eb.val("enabled" as const).as("kind"),
        eb.cast<number>(eb.val(at), "bigint").as("start_at"),
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What was found before a break flips nothing after it, however short it was; a change of one check has raised its own. */
async function raiseRevisions(
  db: Kysely<Database>,
  off: SelectQueryBuilder<Database, "checks", { no: number }>,
): Promise<void> {
  await db
    .updateTable("checks")
    .set((eb) => ({ revision: eb("revision", "+", 1) }))
    .where("no", "in", off)
    .where("no", "in", (eb) =>
      eb
        .selectFrom("spans")
        .select("check_no")
        .where("kind", "=", "enabled")
        .where("end_at", "is", null),
    )
    .execute();
}

/** Closes open spans, none before its own start though the clock may have stepped back. */
export function closeSpans(
  db: Kysely<Database>,
  at: number,
): UpdateQueryBuilder<Database, "spans", "spans", UpdateResult> {
  return db
    .updateTable("spans")
    .set((eb) => ({
      end_at: eb.case().when("start_at", ">", at).then(eb.ref("start_at")).else(at).end(),
    }))
    .where("end_at", "is", null);
}

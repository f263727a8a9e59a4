import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
} from "kysely";

import type { Engine, Lane } from "../engine.ts";
import type { Database } from "../database.ts";

/** A literal, for a partial index is not found through a parameter. */
export const waiting = sql.lit("waiting" as const);

/** Selects claimable alerts, those due longest first. */
export function claimable(
  db: Kysely<Database>,
  engine: Engine,
): SelectQueryBuilder<Database, "alerts", object> {
  return db
    .selectFrom("alerts")
    .where(
      /* guard: finding due alerts by an index = sql`+claimable_at` */ "claimable_at",
      "<=",
      engine.now(),
    )
    .orderBy("claimable_at")
    .orderBy("seq");
}

export function isToAddresses(
  eb: ExpressionBuilder<Database, "alerts">,
  lanes: readonly Lane[],
): Expression<SqlBool> {
  return eb.or(
    lanes.map(({ contact_id, address_id }) =>
      eb.and([eb("alerts.contact_id", "=", contact_id), eb("alerts.address_id", "=", address_id)]),
    ),
  );
}

/** Selects the primary account of an alert; subaccounts have no subaccounts. */
export function selectPrimaryId(eb: ExpressionBuilder<Database, "alerts">) {
  return eb
    .selectFrom("accounts")
    .select((account) => account.fn.coalesce("accounts.parent_id", "accounts.id").as("primary_id"))
    .whereRef("accounts.id", "=", "alerts.account_id")
    .as("primary_id");
}

/** Selects the notice of an alert. */
export function selectNotice(eb: ExpressionBuilder<Database, "alerts">) {
  return eb
    .selectFrom("notices")
    .select("notices.notice")
    .whereRef("notices.id", "=", "alerts.notice_id")
    .as("notice");
}

import { sql } from "kysely";
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from "kysely";
import type { ExpressionBuilder } from "kysely";

import type { Engine, Lane } from "../engine.ts";
import type { Database } from "../tables.ts";

/** A literal, for a partial index is not found through a parameter. */
export const waiting = sql.lit("waiting" as const);

/** Whether no earlier open alert about the same check to the same address stands before this one. */
export function isFirstInLine(eb: ExpressionBuilder<Database, "alerts">): Expression<SqlBool> {
  return eb.not(
    eb.exists(
      eb
        .selectFrom("alerts as earlier")
        .select("earlier.seq")
        .where("earlier.status", "=", waiting)
        .whereRef("earlier.check_no", "=", "alerts.check_no")
        .whereRef("earlier.contact_id", "=", "alerts.contact_id")
        .whereRef("earlier.address_id", "=", "alerts.address_id")
        .whereRef("earlier.seq", "<", "alerts.seq"),
    ),
  );
}

/** Whether no notifier has claimed the alert, or its claim has run out. */
export function isUnclaimed(
  eb: ExpressionBuilder<Database, "alerts">,
  { now }: Engine,
): Expression<SqlBool> {
  return eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now())]);
}

/** What a claim may take, that which has been due longest first. */
export function claimable(
  db: Kysely<Database>,
  engine: Engine,
  lanes?: readonly Lane[],
): SelectQueryBuilder<Database, "alerts", object> {
  const query = db
    .selectFrom("alerts")
    .where("status", "=", waiting)
    .where("next_attempt_at", "<=", engine.now())
    .where((eb) => isUnclaimed(eb, engine))
    .where(isFirstInLine)
    .orderBy("next_attempt_at")
    .orderBy("seq");
  return lanes === undefined ? query : query.where((eb) => isInLanes(eb, lanes));
}

export function isInLanes(
  eb: ExpressionBuilder<Database, "alerts">,
  lanes: readonly Lane[],
): Expression<SqlBool> {
  return eb(
    eb.refTuple("alerts.contact_id", "alerts.address_id"),
    "in",
    lanes.map(({ contact_id, address_id }) => eb.tuple(contact_id, address_id)),
  );
}

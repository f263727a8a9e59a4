import type { Expression, ExpressionBuilder, SqlBool } from "kysely";

import { mayBeGrouped } from "../../../domain/alert/alert-grouping.ts";
import type { Grouping, AlertTable } from "../alerts.ts";
import type { Database } from "../database.ts";

/** Whether an alert may share a message with others. */
export function mayBeGroupedIn(
  eb: ExpressionBuilder<Database, "alerts">,
  grouping: Grouping,
): Expression<SqlBool> {
  const whole = [...grouping].flatMap(([kind, { alerts }]) => (alerts === "all" ? [kind] : []));
  return eb.or([
    // A destination is a kind of address, with the hash of a host after it where the address is a URL.
    ...whole.map((kind) =>
      eb.or([eb("destination", "=", kind), eb("destination", "like", `${kind} %`)]),
    ),
    eb.and([eb("kind", "=", "first"), eb("outage", "is", null)]),
  ]);
}

export function rowMayBeGrouped(
  { kind, outage, destination }: Pick<AlertTable, "kind" | "outage" | "destination">,
  grouping: Grouping,
): boolean {
  const [kindOfAddress = ""] = destination.split(" ", 1);
  return mayBeGrouped({ kind, outage: outage ?? undefined }, grouping.get(kindOfAddress));
}

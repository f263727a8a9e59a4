import { sql, type Kysely } from "kysely";

import {
  beginningKinds,
  lateReasons,
  type AlertKind,
  type DropReason,
} from "../../../domain/alert/alert.ts";
import type { AlertWrites } from "../../alerts.ts";
import type { Database } from "../tables.ts";
import { waiting } from "./alert-line.ts";
import { dropUnsent, held, waitAgain } from "./holds.ts";

const acknowledged: DropReason = "acknowledged";
/** What is of use only while the outage lasts. */
const duringOutage: readonly AlertKind[] = ["reminder", "acknowledged"];

export function createEscalations(
  db: Kysely<Database>,
): Pick<AlertWrites, "dropReminders" | "stopEscalation" | "resumeEscalation"> {
  return {
    async dropReminders(outage, at) {
      await dropUnclaimed(db, { outage, kinds: duringOutage, reason: "recovered", at });
    },
    async stopEscalation(outage, at) {
      await dropUnclaimed(db, { outage, kinds: ["reminder"], reason: acknowledged, at });
      await dropUnclaimed(db, { outage, kinds: ["acknowledged"], reason: "outdated", at });
      await dropUnsent(db, { reason: acknowledged, at }, (eb) =>
        eb.and([
          eb("outage", "=", outage),
          eb("kind", "in", beginningKinds),
          eb.or([eb("due_at", ">", at), eb("reason", "in", lateReasons)]),
        ]),
      );
    },
    async resumeEscalation(outage, at) {
      await dropUnclaimed(db, { outage, kinds: ["acknowledged"], reason: "outdated", at });
      await waitAgain(db, at)
        .set({ last_at: null })
        .where("outage", "=", outage)
        .where("status", "=", sql.lit("dropped" as const))
        .where("reason", "=", acknowledged)
        .execute();
    },
  };
}

interface Unclaimed {
  readonly outage: string;
  readonly kinds: readonly AlertKind[];
  readonly reason: DropReason;
  readonly at: number;
}

async function dropUnclaimed(
  db: Kysely<Database>,
  { outage, kinds, reason, at }: Unclaimed,
): Promise<void> {
  await db
    .updateTable("alerts")
    .set({ status: "dropped", reason, last_at: at, sealed_details: null })
    .where("outage", "=", outage)
    .where("kind", "in", kinds)
    .where("status", "in", [waiting, held])
    .where("lease_until", "is", null)
    .execute();
}

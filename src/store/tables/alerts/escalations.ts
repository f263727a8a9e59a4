import { sql, type Kysely } from "kysely";

import {
  outageStartKinds,
  lateReasons,
  type AlertKind,
  type DropReason,
} from "../../../domain/alert/alert.ts";
import type { Database } from "../database.ts";
import { waiting } from "./alert-line.ts";
import { dropUnsent, held, resumeWaiting } from "./holds.ts";

const acknowledged: DropReason = "acknowledged";
/** Alerts that are useful only during the outage. */
const duringOutage: readonly AlertKind[] = ["reminder", "acknowledged"];

export function createEscalations(db: Kysely<Database>) {
  return {
    /** Ends an outage: drops its reminders and acknowledgement alerts, including those that may have arrived, unless a notifier has claimed them. */
    async dropReminders(outage: string, at: number): Promise<void> {
      await dropUnclaimed(db, { outage, kinds: duringOutage, reason: "recovered", at });
    },
    /** The outage is acknowledged: drops its reminders, the alerts of its beginning whose delay is not over, and what was to be said of an earlier acknowledgement. */
    async stopEscalation(outage: string, at: number): Promise<void> {
      await dropUnclaimed(db, { outage, kinds: ["reminder"], reason: acknowledged, at });
      await dropUnclaimed(db, { outage, kinds: ["acknowledged"], reason: "outdated", at });
      await dropUnsent(db, { reason: acknowledged, at }, (eb) =>
        eb.and([
          eb("outage", "=", outage),
          eb("kind", "in", outageStartKinds),
          eb.or([eb("due_at", ">", at), eb("reason", "in", lateReasons)]),
        ]),
      );
    },
    /** The acknowledgement is withdrawn: what was dropped for it waits again, and is due at the earliest now. */
    async resumeEscalation(outage: string, at: number): Promise<void> {
      await dropUnclaimed(db, { outage, kinds: ["acknowledged"], reason: "outdated", at });
      await resumeWaiting(db, at)
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

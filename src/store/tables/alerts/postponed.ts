import type { Kysely } from "kysely";

import { lateReasons } from "../../../domain/alert/alert.ts";
import type { Database } from "../database.ts";
import { waiting } from "./alert-line.ts";

interface Changed {
  readonly accountId: string;
  readonly schedule?: string;
  readonly checkNo?: number;
  readonly contactId?: string;
}

/** Judges the alerts of an account that wait for a window or a mute again at once, by what was changed. */
export async function judgePostponed(
  db: Kysely<Database>,
  { accountId, schedule, checkNo, contactId }: Changed,
): Promise<void> {
  let postponed = db
    .updateTable("alerts")
    .set((eb) => ({ next_attempt_at: eb.ref("due_at") }))
    .where("account_id", "=", accountId)
    .where("status", "=", waiting)
    .where("reason", "in", lateReasons)
    .where("judged", "=", 0)
    .where("lease_until", "is", null);
  if (checkNo !== undefined) postponed = postponed.where("check_no", "=", checkNo);
  if (contactId !== undefined) postponed = postponed.where("contact_id", "=", contactId);
  if (schedule !== undefined)
    postponed = postponed.where((eb) =>
      eb.or([
        eb("schedules", "=", JSON.stringify([schedule])),
        // One of several entries.
        eb("schedules", "like", '%","%'),
      ]),
    );
  await postponed.execute();
}

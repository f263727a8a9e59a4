import type { Kysely } from "kysely";

import type { Database } from "../tables.ts";
import { waiting } from "./alert-line.ts";

/** Has the Ups of an account that wait for a window judged again at once, by its schedules and its time zone as they are now. */
export async function judgePostponed(
  db: Kysely<Database>,
  { accountId, schedule }: { readonly accountId: string; readonly schedule?: string },
): Promise<void> {
  let postponed = db
    .updateTable("alerts")
    .set((eb) => ({ next_attempt_at: eb.ref("due_at") }))
    .where("account_id", "=", accountId)
    .where("status", "=", waiting)
    .where("kind", "=", "up")
    .where("judged", "=", 0)
    .where("lease_until", "is", null);
  if (schedule !== undefined)
    postponed = postponed.where((eb) =>
      eb.or([
        eb("schedules", "=", JSON.stringify([schedule])),
        // Of several, of which it may be one.
        eb("schedules", "like", '%","%'),
      ]),
    );
  await postponed.execute();
}

import type { Kysely } from "kysely";

import type { Incident, IncidentUpdate } from "../../../domain/status/incident.ts";
import { postWaitMs } from "../../../domain/status/subscriber.ts";
import type { Database } from "../tables.ts";

export async function announceUpdates(
  db: Kysely<Database>,
  incident: Incident,
  posted: readonly IncidentUpdate[],
): Promise<void> {
  const { id: incidentId, accountId, updates } = incident;
  const [first] = posted;
  if (first === undefined) return;
  const from = updates.length - posted.length;
  await db
    .updateTable("page_posts")
    .set({ to_update: updates.length })
    .where("incident_id", "=", incidentId)
    .where("is_begun", "=", 0)
    .execute();
  const pages = await pagesToNotify(db, incident);
  if (pages.length === 0) return;
  await db
    .insertInto("page_posts")
    .values(
      pages.map(({ id, primary_id }) => ({
        id: `${incidentId}-${from}-${id}`,
        account_id: accountId,
        primary_id,
        page_id: id,
        incident_id: incidentId,
        from_update: from,
        to_update: updates.length,
        created_at: first.at,
        due_at: first.at + postWaitMs,
        is_begun: 0,
        is_spread: 0,
        spread_to: 0,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Those that show the incident, have a subscriber, and no post about it that waits. */
function pagesToNotify(
  db: Kysely<Database>,
  { id, accountId, pageIds }: Incident,
): Promise<readonly { readonly id: string; readonly primary_id: string }[]> {
  const pages = db
    .selectFrom("status_pages")
    .innerJoin("accounts", "accounts.id", "status_pages.account_id")
    .select((eb) => [
      "status_pages.id",
      eb.fn.coalesce("accounts.parent_id", "accounts.id").as("primary_id"),
    ])
    .where("status_pages.account_id", "=", accountId)
    .where("status_pages.enabled", "=", 1)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("page_subscribers")
          .select("id")
          .whereRef("page_subscribers.page_id", "=", "status_pages.id")
          .where("page_subscribers.state", "=", "confirmed"),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("page_posts")
            .select("id")
            .whereRef("page_posts.page_id", "=", "status_pages.id")
            .where("page_posts.incident_id", "=", id)
            .where("page_posts.is_begun", "=", 0),
        ),
      ),
    );
  return (pageIds === undefined ? pages : pages.where("status_pages.id", "in", pageIds)).execute();
}

import type { Kysely } from "kysely";

import type { Database } from "./database.ts";

/** Ends all sessions of a contact for good, and what would lead to one, but for one that is kept. */
export async function endSignIns(
  db: Kysely<Database>,
  contactId: string,
  keptDigest?: string,
): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where("contact_id", "=", contactId)
    .where("digest", "!=", keptDigest ?? "")
    .execute();
  for (const table of ["sign_in_links", "pending_sign_ins"] as const)
    await db.deleteFrom(table).where("contact_id", "=", contactId).execute();
}

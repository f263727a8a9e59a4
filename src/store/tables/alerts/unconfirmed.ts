import { sql, type Kysely } from "kysely";

import { readClock, type Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { releaseHeld } from "./holds.ts";

/** A literal, for a partial index is not found through a parameter. */
export const unconfirmed = sql.lit("address_unconfirmed" as const);

/** Lets what waited for nothing but the confirmation of its address be judged again, where that is not awaited any more; of one contact, or of all. */
export async function releaseConfirmed(
  db: Kysely<Database>,
  engine: Engine,
  contactId?: string,
): Promise<void> {
  let released = releaseHeld(db, await readClock(db, engine))
    .where("reason", "=", unconfirmed)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("addresses")
            .select("addresses.id")
            .whereRef("addresses.contact_id", "=", "alerts.contact_id")
            .whereRef("addresses.id", "=", "alerts.address_id")
            .where("addresses.confirmed", "=", 0),
        ),
      ),
    );
  if (contactId !== undefined) released = released.where("contact_id", "=", contactId);
  await released.execute();
}

/** Returns whether messages to the alert's address wait for its confirmation. Locks the address, because confirming it releases held alerts. */
export async function isUnconfirmed(
  db: Kysely<Database>,
  { lockRows }: Engine,
  { contact_id, address_id }: { readonly contact_id: string; readonly address_id: string },
): Promise<boolean> {
  const address = await lockRows(
    db
      .selectFrom("addresses")
      .select("confirmed")
      .where("contact_id", "=", contact_id)
      .where("id", "=", address_id),
  ).executeTakeFirst();
  return address?.confirmed === 0;
}

import type { Kysely, Selectable } from "kysely";

import type { Grouping } from "../../alerts.ts";
import type { Engine, Lane } from "../engine.ts";
import type { Database } from "../tables.ts";
import { waiting } from "./alert-line.ts";
import type { AlertTable, RecentSendTable } from "./alert-tables.ts";

interface Delay {
  readonly grouping: Grouping;
  readonly lanes: readonly Lane[];
}

/** Lets what is due to an address that was just sent an alert of another check wait to be grouped, never longer than its window after it was due. */
export async function delayForGrouping(
  db: Kysely<Database>,
  { now }: Engine,
  { grouping, lanes }: Delay,
): Promise<void> {
  await db
    .deleteFrom("recent_sends")
    .where((eb) => eb(eb("at", "+", eb.ref("wait_ms")), "<=", now()))
    .execute();
  const longestMs = Math.max(0, ...grouping.values());
  for (const { contact_id, address_id, at, wait_ms, check_no } of await sendsTo(db, lanes)) {
    let delayed = db
      .updateTable("alerts")
      .set((eb) => ({
        next_attempt_at: eb
          .case()
          .when("due_at", ">", at)
          .then(at + wait_ms)
          .else(eb("due_at", "+", wait_ms))
          .end(),
      }))
      .where("status", "=", waiting)
      .where("contact_id", "=", contact_id)
      .where("address_id", "=", address_id)
      // No alert is due later than its next attempt: what has waited since before the window is not looked at.
      .where((eb) => eb("next_attempt_at", ">", eb(now(), "-", longestMs)))
      .where("next_attempt_at", "<=", now())
      .where("lease_until", "is", null)
      .where("attempts", "=", 0)
      .where((eb) => eb(eb("due_at", "+", wait_ms), ">", now()));
    if (check_no !== null) delayed = delayed.where("check_no", "!=", check_no);
    await delayed.execute();
  }
}

/** Read on their own, for a join of them with alerts would read all alerts that wait. */
function sendsTo(
  db: Kysely<Database>,
  lanes: readonly Lane[],
): Promise<Selectable<RecentSendTable>[]> {
  return db
    .selectFrom("recent_sends")
    .selectAll()
    .where((eb) =>
      eb.or(
        lanes.map(({ contact_id, address_id }) =>
          eb.and([eb("contact_id", "=", contact_id), eb("address_id", "=", address_id)]),
        ),
      ),
    )
    .execute();
}

interface Sends {
  readonly alerts: readonly Pick<
    Selectable<AlertTable>,
    "check_no" | "contact_id" | "address_id" | "attempts"
  >[];
  readonly grouping: Grouping;
}

/** Records which addresses are now sent something new. */
export async function recordSends(
  db: Kysely<Database>,
  { now }: Engine,
  { alerts, grouping }: Sends,
): Promise<void> {
  const firstAttempts = alerts.filter(({ attempts }) => attempts === 1);
  const byAddress = Map.groupBy(
    firstAttempts,
    (alert) => `${alert.contact_id} ${alert.address_id}`,
  );
  for (const [first, ...others] of byAddress.values()) {
    if (first === undefined) continue;
    const { contact_id, address_id } = first;
    const address = await db
      .selectFrom("addresses")
      .select("kind")
      .where("contact_id", "=", contact_id)
      .where("id", "=", address_id)
      .executeTakeFirst();
    const wait_ms = address && grouping.get(address.kind);
    if (wait_ms === undefined) continue;
    const check_no = others.length === 0 ? first.check_no : null;
    const send = { at: now(), wait_ms, check_no };
    await db
      .insertInto("recent_sends")
      .values({ contact_id, address_id, ...send })
      .onConflict((conflict) => conflict.columns(["contact_id", "address_id"]).doUpdateSet(send))
      .execute();
  }
}

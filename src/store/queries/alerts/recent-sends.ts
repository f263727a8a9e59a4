import type { Kysely, Selectable } from "kysely";

import type { Grouping } from "../../alerts.ts";
import type { Engine, Lane } from "../engine.ts";
import type { Database } from "../tables.ts";
import { isInLanes, waiting } from "./alert-line.ts";
import type { AlertTable } from "./alert-tables.ts";

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
  await db
    .updateTable("alerts")
    .from("recent_sends")
    .set((eb) => ({
      next_attempt_at: eb(
        eb
          .case()
          .when("recent_sends.at", "<", eb.ref("alerts.due_at"))
          .then(eb.ref("recent_sends.at"))
          .else(eb.ref("alerts.due_at"))
          .end(),
        "+",
        eb.ref("recent_sends.wait_ms"),
      ),
    }))
    .whereRef("recent_sends.contact_id", "=", "alerts.contact_id")
    .whereRef("recent_sends.address_id", "=", "alerts.address_id")
    .where((eb) =>
      eb.or([
        eb("recent_sends.check_no", "is", null),
        eb("recent_sends.check_no", "!=", eb.ref("alerts.check_no")),
      ]),
    )
    .where("alerts.status", "=", waiting)
    // No alert is due later than its next attempt: what has waited since before the window is not looked at.
    .where((eb) => eb("alerts.next_attempt_at", ">", eb(now(), "-", longestMs)))
    .where("alerts.next_attempt_at", "<=", now())
    .where("alerts.lease_until", "is", null)
    .where("alerts.attempts", "=", 0)
    .where((eb) => eb(eb("alerts.due_at", "+", eb.ref("recent_sends.wait_ms")), ">", now()))
    .where((eb) => isInLanes(eb, lanes))
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

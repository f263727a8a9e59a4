import { sql } from "kysely";
import type { Kysely, Selectable } from "kysely";

import { Conflict } from "../../kit/errors.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Bundle, ClaimedAlert, Grouping, NewBundle } from "../alerts.ts";
import { renderedColumns } from "./alert-row.ts";
import type { AlertTable } from "./alert-tables.ts";
import type { Database } from "./tables.ts";

// A literal, for a partial index is not found through a parameter.
const waiting = sql.lit("waiting" as const);

type Row = Selectable<AlertTable>;

export interface Bundles {
  readonly find: (id: string) => Promise<Bundle | undefined>;
  readonly insert: (bundle: NewBundle) => Promise<void>;
  readonly remove: (members: readonly ClaimedAlert[]) => Promise<void>;
  /** Lets what is due to an address that was told of another check a moment ago wait for company, never longer than that after it was due. */
  readonly delayForGrouping: (now: number, company: Grouping) => Promise<void>;
  /** Notes which addresses are now told something new. */
  readonly recordSends: (
    alerts: readonly Pick<Row, "check_no" | "contact_id" | "address_id" | "attempts">[],
    at: number,
    company: Grouping,
  ) => Promise<void>;
  /** Open alerts that stand in one bundle with any of these. */
  readonly listBundled: (alerts: readonly Pick<Row, "bundle">[]) => Promise<readonly number[]>;
  /** Forgets the bundles that no open alert needs. */
  readonly removeUnused: () => Promise<void>;
}

export function createBundles(db: Kysely<Database>, sealer: Sealer): Bundles {
  const openMembers = db.selectFrom("alerts").where("status", "=", waiting);
  const update = ({ alertId, attempt }: ClaimedAlert) =>
    db.updateTable("alerts").where("id", "=", alertId).where("attempts", "<=", attempt);
  return {
    async find(id) {
      const row = await db
        .selectFrom("bundles")
        .select(["id", "size", "message"])
        .where("id", "=", id)
        .executeTakeFirst();
      return row && { ...row };
    },
    async insert({ id, accountId, message, members }) {
      await db
        .insertInto("bundles")
        .values({ id, account_id: accountId, message, size: members.length })
        .execute();
      for (const { wording, ...member } of members) {
        const { numUpdatedRows } = await update(member)
          .set({ bundle: id, ...renderedColumns(wording, sealer) })
          .executeTakeFirst();
        if (numUpdatedRows === 0n)
          throw new Conflict(`alert ${JSON.stringify(member.alertId)}: claimed meanwhile`);
      }
    },
    async remove(members) {
      for (const member of members) await update(member).set({ bundle: null }).execute();
    },
    async delayForGrouping(now, company) {
      await db
        .deleteFrom("departures")
        .where((eb) => eb(eb("at", "+", eb.ref("wait_ms")), "<=", now))
        .execute();
      const since = now - Math.max(0, ...company.values());
      await db
        .updateTable("alerts")
        .from("departures")
        .set((eb) => ({
          next_attempt_at: eb(
            eb
              .case()
              .when("departures.at", "<", eb.ref("alerts.due_at"))
              .then(eb.ref("departures.at"))
              .else(eb.ref("alerts.due_at"))
              .end(),
            "+",
            eb.ref("departures.wait_ms"),
          ),
        }))
        .whereRef("departures.contact_id", "=", "alerts.contact_id")
        .whereRef("departures.address_id", "=", "alerts.address_id")
        .where((eb) =>
          eb.or([
            eb("departures.check_no", "is", null),
            eb("departures.check_no", "!=", eb.ref("alerts.check_no")),
          ]),
        )
        .where("alerts.status", "=", waiting)
        // None was due later than it is to leave: what has been left lying since before is not looked at.
        .where("alerts.next_attempt_at", ">", since)
        .where("alerts.next_attempt_at", "<=", now)
        .where("alerts.lease_until", "is", null)
        .where("alerts.attempts", "=", 0)
        .where((eb) => eb(eb("alerts.due_at", "+", eb.ref("departures.wait_ms")), ">", now))
        .execute();
    },
    async recordSends(alerts, at, company) {
      const fresh = alerts.filter(({ attempts }) => attempts === 1);
      const addresses = Map.groupBy(fresh, (alert) => `${alert.contact_id} ${alert.address_id}`);
      for (const [first, ...others] of addresses.values()) {
        if (first === undefined) continue;
        const { contact_id, address_id } = first;
        const address = await db
          .selectFrom("addresses")
          .select("kind")
          .where("contact_id", "=", contact_id)
          .where("id", "=", address_id)
          .executeTakeFirst();
        const wait_ms = address && company.get(address.kind);
        if (wait_ms === undefined) continue;
        const told = { at, wait_ms, check_no: others.length === 0 ? first.check_no : null };
        await db
          .insertInto("departures")
          .values({ contact_id, address_id, ...told })
          .onConflict((conflict) =>
            conflict.columns(["contact_id", "address_id"]).doUpdateSet(told),
          )
          .execute();
      }
    },
    async listBundled(alerts) {
      const ids = bundlesOf(alerts);
      if (ids.length === 0) return [];
      const rows = await openMembers.select("seq").where("bundle", "in", ids).execute();
      return rows.map(({ seq }) => seq);
    },
    async removeUnused() {
      await db
        .deleteFrom("bundles")
        .where((eb) =>
          eb.not(
            eb.exists(
              openMembers.select("seq").where("bundle", "=", sql.ref<string>("bundles.id")),
            ),
          ),
        )
        .execute();
    },
  };
}

function bundlesOf(alerts: readonly Pick<Row, "bundle">[]): readonly string[] {
  return [...new Set(alerts.flatMap(({ bundle }) => bundle ?? []))];
}

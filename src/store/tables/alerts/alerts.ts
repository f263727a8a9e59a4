import type { Kysely } from "kysely";
import type { AddressRef } from "../../../domain/contact/recipients.ts";

import {
  outageStartKinds,
  type Alert,
  type EarlierAlert,
  type AlertInMessage,
  type Notice,
} from "../../../domain/alert/alert.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import { settleAll } from "../../../kit/settle-all.ts";
import type { AlertRecord, RenderedMessage } from "../alerts.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { claimAlerts, type Claim } from "./alert-claims.ts";
import { selectNotice } from "./alert-line.ts";
import { earlierColumns, earlierFromRow, storedNotice, toRendered, toRow } from "./alert-row.ts";
import { createAlertTimes } from "./alert-times.ts";
import { createAttempts } from "./attempts.ts";
import { createBundleReads, createBundleWrites } from "./bundles.ts";
import { createDueAlerts } from "./due-alerts.ts";
import { createEscalations } from "./escalations.ts";
import { createHolds } from "./holds.ts";
import { createNotificationReads } from "./notification-reads.ts";

/** Rows per statement: 1,000 alerts of one flip in separate statements block the main thread for half a second. */
// guard: alerts in few statements = 1
const INSERTED_ROWS = 100;

interface Deps {
  readonly engine: Engine;
  readonly sealer: Sealer;
}

export function createAlertReads(db: Kysely<Database>, { engine, sealer }: Deps) {
  return {
    ...createNotificationReads(db, sealer),
    ...createDueAlerts(db, engine),
    ...createBundleReads(db),
    /** Lists the alerts about an outage's start, downs and failing firsts; with `address`, only those to it. */
    async listByOutage(outage: string, address?: AddressRef): Promise<readonly EarlierAlert[]> {
      let query = db
        .selectFrom("alerts")
        .select([...earlierColumns])
        .where("outage", "=", outage)
        .where("kind", "in", outageStartKinds)
        .orderBy("seq");
      if (address !== undefined)
        query = query
          .where("contact_id", "=", address.contactId)
          .where("address_id", "=", address.addressId);
      const rows = await query.execute();
      return rows.map(earlierFromRow);
    },
    /** The same with the messages that they were sent in. */
    async listInMessages(outage: string): Promise<readonly AlertInMessage[]> {
      const rows = await db
        .selectFrom("alerts")
        .select([...earlierColumns, "bundle", "attempts"])
        .where("outage", "=", outage)
        .where("kind", "in", outageStartKinds)
        .orderBy("seq")
        .execute();
      return rows.map((row) => ({
        ...earlierFromRow(row),
        message: row.bundle ?? row.id,
        attempts: row.attempts,
      }));
    },
    /** Returns the notice of those alerts; undefined if there are none. */
    async findNotice(outage: string): Promise<Notice | undefined> {
      const row = await db
        .selectFrom("alerts")
        .select(selectNotice)
        .where("outage", "=", outage)
        .where("kind", "in", outageStartKinds)
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.notice ? JSON.parse(row.notice) : undefined;
    },
    /** Counts earlier acknowledgements of the outage that were sent to someone. */
    async countAcknowledgements(outage: string): Promise<number> {
      const row = await db
        .selectFrom("alerts")
        .select((eb) => eb.fn.max<number | null>("number").as("last"))
        .where("outage", "=", outage)
        .where("kind", "=", "acknowledged")
        .executeTakeFirst();
      return row?.last ?? 0;
    },
    /** Rendered messages by alert, for open alerts rendered on their own. */
    async findRendered(alertIds: readonly string[]): Promise<ReadonlyMap<string, RenderedMessage>> {
      const rows = await db
        .selectFrom("alerts")
        .selectAll()
        .where("id", "in", alertIds)
        .where("sealed_details", "is not", null)
        .execute();
      return new Map(rows.map((row) => [row.id, toRendered(row, sealer)]));
    },
  };
}

export function createAlertWrites(db: Kysely<Database>, deps: Deps) {
  const { engine, sealer } = deps;
  return {
    ...createHolds(db),
    ...createEscalations(db),
    ...createAlertTimes(db, engine),
    ...createBundleWrites(db, sealer),
    ...createAttempts(db, deps),
    async insert(...alerts: readonly AlertRecord[]): Promise<void> {
      for (let start = 0; start < alerts.length; start += INSERTED_ROWS)
        await insertSome(db, engine, alerts.slice(start, start + INSERTED_ROWS));
    },
    /**
     * Claims due alerts for `leaseMs`, by the store's clock. An alert is not claimable while an earlier one of the same check and
     * address is open, nor while it is claimed. A claimed one counts as possibly sent until the end of the attempt is known. The
     * alerts of a bundle are claimed together, and so are those that may share a message, up to `maxGrouped` beyond the limit. With
     * `ids`, these and what is sent with them; otherwise what has been due longest.
     */
    claim: (claim: Claim): Promise<readonly Alert[]> => claimAlerts(db, engine, claim),
  };
}

async function insertSome(
  db: Kysely<Database>,
  engine: Engine,
  alerts: readonly AlertRecord[],
): Promise<void> {
  const rows = alerts.map(toRow);
  const notices = new Map(alerts.map(storedNotice).map((stored) => [stored.id, stored]));
  const [, , known] = await settleAll(
    engine.insertLanes(db, rows),
    db
      .insertInto("notices")
      .values([...notices.values()])
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
    db
      .selectFrom("addresses")
      .select(["contact_id", "id", "destination"])
      .where("contact_id", "in", [...new Set(rows.map(({ contact_id }) => contact_id))])
      .execute(),
  );
  const destinations = new Map(
    known.map(({ contact_id, id, destination }) => [`${contact_id} ${id}`, destination]),
  );
  // This takes a third of the time of expressions, which would differ per row.
  await db
    .insertInto("alerts")
    .values(
      rows.map((row) => ({
        ...row,
        destination: destinations.get(`${row.contact_id} ${row.address_id}`) ?? "",
      })),
    )
    .execute();
}

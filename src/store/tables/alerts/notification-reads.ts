import { setImmediate } from "node:timers/promises";

import { sql, type Kysely, type SelectQueryBuilder } from "kysely";

import type { AlertKind } from "../../../domain/alert/alert.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { NotificationQuery, Notification } from "../alerts.ts";
import type { Database } from "../database.ts";
import { toNotification } from "./alert-row.ts";

/** Time of an alert as shown to users. An indexed expression. */
const lastAt = sql<number>`coalesce(last_at, created_at)`;

/** An alert is shown as what it was sent as. */
const shownKind = sql<AlertKind>`coalesce(sent_kind, kind)`;

/** Maximum keys of one search, which takes about 10 ms. */
const KEYS = 4000;
/** Each may have a body of 8 kB, which is opened and written. */
const PAGE_ROWS = 50;

export function createNotificationReads(db: Kysely<Database>, sealer: Sealer) {
  /** Resolves the start of a list: undefined for the newest, and null if the alert to continue after no longer exists. */
  const startOf = async ({
    accountIds,
    after,
  }: NotificationQuery): Promise<Key | undefined | null> => {
    if (after === undefined) return undefined;
    const key = await db
      .selectFrom("alerts")
      .select(["seq", lastAt.as("at")])
      .where("account_id", "in", accountIds)
      .where("id", "=", after)
      .executeTakeFirst();
    return key ?? null;
  };
  return {
    /** Newest first, by `at`. */
    async listNotifications(query: NotificationQuery): Promise<readonly Notification[]> {
      const start = await startOf(query);
      if (start === null) return [];
      const rows = await newestOf(db, query, start).selectAll().execute();
      return rows.map((row) => toNotification(row, sealer));
    },
    /** The same some at a time, for a long list; what is attempted meanwhile may be left out. */
    async *pageNotifications(query: NotificationQuery): AsyncIterable<readonly Notification[]> {
      let before = await startOf(query);
      if (before === null) return;
      for (let left = query.limit; left > 0;) {
        const limit = Math.min(left, KEYS);
        const keys: readonly Key[] = await newestOf(db, { ...query, limit }, before)
          .select(["seq", lastAt.as("at")])
          .execute();
        for (let start = 0; start < keys.length; start += PAGE_ROWS) {
          const rows = await inOrder(db.selectFrom("alerts"))
            .selectAll()
            .where(
              "seq",
              "in",
              keys.slice(start, start + PAGE_ROWS).map(({ seq }) => seq),
            )
            .execute();
          yield rows.map((row) => toNotification(row, sealer));
          await setImmediate();
        }
        if (keys.length < limit) return;
        left -= keys.length;
        before = keys.at(-1);
      }
    },
  };
}

interface Key {
  readonly at: number;
  readonly seq: number;
}

type Alerts = SelectQueryBuilder<Database, "alerts", object>;

function inOrder(alerts: Alerts): Alerts {
  return alerts.orderBy(lastAt, "desc").orderBy("seq", "desc");
}

function newestOf(
  db: Kysely<Database>,
  { accountIds, checkId, from, limit, dropped, ...filters }: NotificationQuery,
  before?: Key,
): Alerts {
  const { to, contactId, network, kind, status } = filters;
  let query = inOrder(db.selectFrom("alerts"))
    .where("account_id", "in", accountIds)
    .where(lastAt, ">=", from)
    .limit(limit);
  if (checkId !== undefined) query = query.where("check_id", "=", checkId);
  if (to !== undefined) query = query.where(lastAt, "<=", to);
  if (contactId !== undefined) query = query.where("contact_id", "=", contactId);
  if (network !== undefined) query = query.where("network", "=", network);
  if (kind !== undefined) query = query.where(shownKind, "=", kind);
  if (status !== undefined) query = query.where("status", "=", status);
  if (before !== undefined) {
    const { at, seq } = before;
    query = query
      .where(lastAt, "<=", at)
      .where((eb) => eb.or([eb(lastAt, "<", at), eb("seq", "<", seq)]));
  }
  return dropped
    ? query
    : query.where((eb) =>
        eb.or([eb("status", "in", ["delivered", "failed"]), eb("response", "is not", null)]),
      );
}

import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from "kysely";

import type { AlertKind, Alert } from "../../../domain/alert/alert.ts";
import type { QueuedAlert, AlertBacklog, AlertQueueKey } from "../alerts.ts";
import { readClock, type Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { claimable, selectPrimaryId, selectNotice } from "./alert-line.ts";
import { fromRow, wasPossiblySent } from "./alert-row.ts";

const MAX_COUNTED = 1000;

/** Finds what is due by searches of an index: what else waits, or is due, costs nothing. */
export function createDueAlerts(db: Kysely<Database>, engine: Engine) {
  return {
    /** Returns the time until the next alert can be claimed, by the store's clock, 0 or less if one can be now; undefined if none waits. */
    async msUntilDue(): Promise<number | undefined> {
      const next = await db
        .selectFrom("alerts")
        .select("claimable_at")
        .where("claimable_at", "is not", null)
        .orderBy("claimable_at")
        .orderBy("seq")
        .limit(1)
        .executeTakeFirst();
      if (next === undefined || next.claimable_at === null) return undefined;
      return next.claimable_at - (await readClock(db, engine));
    },
    /** How many of an account are due and not sent yet, counted up to a thousand. */
    async countDue(accountId: string): Promise<number> {
      const due = db
        .selectFrom("alerts")
        .select("seq")
        .where("account_id", "=", accountId)
        .where("claimable_at", "is not", null)
        .where("claimable_at", "<=", engine.now())
        .limit(MAX_COUNTED);
      const { count } = await db
        .selectFrom(due.as("due"))
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },
    /** Lists alerts that have been due for at least `overdueMs` and wait only for delivery, by destination. */
    listBacklog: (overdueMs: number): Promise<readonly AlertBacklog[]> =>
      listBacklog(db, engine, overdueMs),
    /** Alerts that could be claimed now, oldest first: for the time in which no claim can be stored. With `ids`, of these and of their bundles only. */
    async listDue(limit: number, ids?: readonly string[]): Promise<readonly Alert[]> {
      let query = claimable(db, engine)
        .selectAll()
        .select((eb) => [selectNotice(eb), selectPrimaryId(eb)])
        .limit(limit);
      if (ids !== undefined) query = query.where((eb) => isOneOf(eb, ids));
      const rows = await query.execute();
      return rows.map((row) => ({ ...fromRow(row), possiblySent: wasPossiblySent(row) }));
    },
    /** Lists alerts that can be claimed now, oldest first. */
    async listQueued(limit: number): Promise<readonly QueuedAlert[]> {
      const rows = await claimable(db, engine)
        .select([...queuedColumns])
        .select(selectPrimaryId)
        .limit(limit)
        .execute();
      return rows.map(toQueued);
    },
    /** Lists the oldest due alert of each of the next `limit` queues, and the position to continue from; `after` is undefined at the end. */
    walkQueues: (walk: QueueWalk): Promise<QueuesWalked> => walkQueues(db, engine, walk),
  };
}

async function listBacklog(
  db: Kysely<Database>,
  engine: Engine,
  overdueMs: number,
): Promise<readonly AlertBacklog[]> {
  const now = await readClock(db, engine);
  const overdue = db
    .selectFrom("alerts")
    .select(["destination", "due_at", "attempts"])
    .where("claimable_at", "is not", null)
    .where("reason", "is", null)
    .where("due_at", "<=", now - overdueMs)
    .where((eb) => eb.or([eb("attempts", ">", 0), eb("claimable_at", "<=", now - overdueMs)]))
    .orderBy("claimable_at")
    .limit(MAX_COUNTED);
  const rows = await db
    .selectFrom(overdue.as("overdue"))
    .select((eb) => [
      "destination",
      eb.fn.countAll<number>().as("alerts"),
      eb.fn.min<number>("due_at").as("due_at"),
      eb.fn.max<number>("attempts").as("attempts"),
    ])
    .groupBy("destination")
    .orderBy("destination")
    .execute();
  return rows.map(({ destination, alerts, due_at, attempts }) => ({
    destination,
    alerts,
    oldestMs: now - due_at,
    isAttempted: attempts > 0,
  }));
}

interface QueueWalk {
  readonly after?: AlertQueueKey | undefined;
  readonly limit: number;
}

interface QueuesWalked {
  readonly due: readonly QueuedAlert[];
  readonly after: AlertQueueKey | undefined;
}

const queuedColumns = [
  "id",
  "kind",
  "outage",
  "account_id",
  "destination",
  "check_no",
  "contact_id",
  "address_id",
  "bundle",
  "due_at",
  "retry_until",
  "attempts",
] as const;

interface QueuedRow {
  readonly id: string;
  readonly kind: AlertKind;
  readonly outage: string | null;
  readonly account_id: string;
  readonly primary_id: string | null;
  readonly destination: string;
  readonly check_no: number;
  readonly contact_id: string;
  readonly address_id: string;
  readonly bundle: string | null;
  readonly due_at: number;
  readonly retry_until: number;
  readonly attempts: number;
}

function toQueued(row: QueuedRow): QueuedAlert {
  return {
    id: row.id,
    kind: row.kind,
    outage: row.outage ?? undefined,
    accountId: row.account_id,
    primaryId: row.primary_id ?? row.account_id,
    destination: row.destination,
    checkNo: row.check_no,
    contactId: row.contact_id,
    addressId: row.address_id,
    bundle: row.bundle ?? undefined,
    dueAt: row.due_at,
    retryUntil: row.retry_until,
    attempts: row.attempts,
  };
}

function isOneOf(
  eb: ExpressionBuilder<Database, "alerts">,
  ids: readonly string[],
): Expression<SqlBool> {
  const bundles = eb
    .selectFrom("alerts as named")
    .select("named.bundle")
    .where("named.id", "in", ids)
    .where("named.bundle", "is not", null);
  return eb.or([eb("id", "in", ids), eb("bundle", "in", bundles)]);
}

/** One search of the index leads from a queue to the next, past all that waits in it. Where they are joined in another order, all alerts are read: hence the left join. */
async function walkQueues(
  db: Kysely<Database>,
  engine: Engine,
  { after = { accountId: "", destination: "" }, limit }: QueueWalk,
): Promise<QueuesWalked> {
  const { rows } = await sql<QueuedRow & { readonly is_due: boolean | number }>`
    with recursive walk (step, seq, account_id, destination) as (
      select 0, cast(0 as bigint), cast(${after.accountId} as text), cast(${after.destination} as text)
      union all
      select walk.step + 1, found.seq, found.account_id, found.destination
      from walk
      join alerts as found on found.seq = coalesce(
        (
          select next.seq from alerts as next
          where next.claimable_at is not null
            and next.account_id = walk.account_id and next.destination > walk.destination
          order by next.destination, next.claimable_at, next.seq
          limit 1
        ),
        (
          select next.seq from alerts as next
          where next.claimable_at is not null and next.account_id > walk.account_id
          order by next.account_id, next.destination, next.claimable_at, next.seq
          limit 1
        )
      )
      where walk.step < ${sql.lit(limit)}
    )
    select alerts.id, alerts.kind, alerts.outage, alerts.account_id, alerts.destination, alerts.check_no,
      (select coalesce(parent_id, id) from accounts where accounts.id = alerts.account_id) as primary_id,
      alerts.contact_id, alerts.address_id, alerts.bundle,
      alerts.due_at, alerts.retry_until, alerts.attempts,
      alerts.claimable_at <= ${engine.now()} as is_due
    from walk left join alerts on alerts.seq = walk.seq
    where walk.step > 0
    order by walk.step`.execute(db);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    due: rows.filter(({ is_due }) => Boolean(is_due)).map(toQueued),
    after: last && { accountId: last.account_id, destination: last.destination },
  };
}

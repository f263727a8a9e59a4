import type { Kysely, Selectable, Generated } from "kysely";

import type { Incident, IncidentUpdate } from "../../domain/status/incident.ts";
import {
  type PageMessage,
  postWaitMs,
  type Subscriber,
  type SubscriberKind,
} from "../../domain/status/subscriber.ts";
import type { NumericBoolean } from "./columns.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly page_posts: PagePostTable;
    readonly page_messages: PageMessageTable;
  }
}

interface PagePostTable {
  readonly id: string;
  readonly account_id: string;
  readonly primary_id: string;
  readonly page_id: string;
  readonly incident_id: string;
  readonly from_update: number;
  readonly to_update: number;
  readonly created_at: number;
  readonly due_at: number;
  readonly is_begun: NumericBoolean;
  readonly is_spread: NumericBoolean;
  readonly spread_to: number;
}

interface PageMessageTable {
  readonly seq: Generated<number>;
  readonly post_id: string | null;
  readonly subscriber_id: string;
  readonly account_id: string;
  readonly primary_id: string;
  readonly kind: SubscriberKind;
  readonly created_at: number;
  readonly attempts: number;
  readonly next_attempt_at: number;
}

interface Deps {
  readonly engine: Engine;
}

export function createPageMessageReads(db: Kysely<Database>, deps: Deps) {
  return {
    /** Primary accounts with posts that are not completely sent. */
    async sendingAccounts(): Promise<readonly string[]> {
      const rows = await db.selectFrom("page_posts").select("primary_id").distinct().execute();
      return rows.map(({ primary_id }) => primary_id);
    },
    /** Whether there is anything that could be done now, by the store's clock. */
    async isDue(): Promise<boolean> {
      const message = await db
        .selectFrom("page_messages")
        .select("seq")
        .where("next_attempt_at", "<=", deps.engine.now())
        .limit(1)
        .executeTakeFirst();
      return message !== undefined || (await duePosts(db, deps).executeTakeFirst()) !== undefined;
    },
  };
}

export function createPageMessageWrites(db: Kysely<Database>, deps: Deps) {
  return {
    ...createWrites(db, deps),
    ...createClaims(db, deps),
  };
}

function duePosts(db: Kysely<Database>, { engine }: Deps) {
  return db
    .selectFrom("page_posts")
    .selectAll()
    .where("is_spread", "=", 0)
    .where("due_at", "<=", engine.now())
    .orderBy("due_at")
    .limit(1);
}

function createWrites(db: Kysely<Database>, deps: Deps) {
  return {
    /** Has the subscribers of each page that shows the incident notified of its last updates. What was posted within a minute before goes with them. */
    announce: (incident: Incident, posted: readonly IncidentUpdate[]): Promise<void> =>
      announceUpdates(db, incident, posted),
    /** Inserts a confirmation request to a subscriber. */
    async request({ id, accountId, kind, createdAt }: Subscriber): Promise<void> {
      await db
        .insertInto("page_messages")
        .values({
          post_id: null,
          subscriber_id: id,
          account_id: accountId,
          primary_id: accountId,
          kind,
          created_at: createdAt,
          attempts: 0,
          next_attempt_at: createdAt,
        })
        .execute();
    },
    /** Creates messages of a due post for up to `limit` subscribers; false if no post is due. */
    async spread(limit: number): Promise<boolean> {
      const post = await deps.engine.lockFreeRows(duePosts(db, deps)).executeTakeFirst();
      if (post === undefined) return false;
      const inserted = await insertMessages(db, post, limit);
      await db
        .updateTable("page_posts")
        .set({
          is_begun: 1,
          spread_to: inserted.at(-1)?.seq ?? post.spread_to,
          is_spread: inserted.length < limit ? 1 : 0,
        })
        .where("id", "=", post.id)
        .execute();
      return true;
    },
    /** Removes completely sent posts. */
    async removeSentPosts(): Promise<void> {
      await db
        .deleteFrom("page_posts")
        .where("is_spread", "=", 1)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("page_messages")
                .select("seq")
                .whereRef("page_messages.post_id", "=", "page_posts.id"),
            ),
          ),
        )
        .execute();
    },
    /** Shifts all next attempts by a change of the clock. */
    async shiftTimes(byMs: number): Promise<void> {
      await db
        .updateTable("page_messages")
        .set((eb) => ({
          created_at: eb("created_at", "+", byMs),
          next_attempt_at: eb("next_attempt_at", "+", byMs),
        }))
        .execute();
      await db
        .updateTable("page_posts")
        .set((eb) => ({ due_at: eb("due_at", "+", byMs) }))
        .execute();
    },
  };
}

async function insertMessages(
  db: Kysely<Database>,
  post: Selectable<PagePostTable>,
  limit: number,
): Promise<readonly { readonly seq: number }[]> {
  const subscribers = await db
    .selectFrom("page_subscribers")
    .select(["seq", "id", "kind"])
    .where("page_id", "=", post.page_id)
    .where("state", "=", "confirmed")
    .where("seq", ">", post.spread_to)
    .orderBy("seq")
    .limit(limit)
    .execute();
  if (subscribers.length === 0) return [];
  await db
    .insertInto("page_messages")
    .values(
      subscribers.map(({ id, kind }) => ({
        post_id: post.id,
        subscriber_id: id,
        account_id: post.account_id,
        primary_id: post.primary_id,
        kind,
        created_at: post.due_at,
        attempts: 0,
        next_attempt_at: post.due_at,
      })),
    )
    .execute();
  return subscribers;
}

function createClaims(db: Kysely<Database>, { engine }: Deps) {
  return {
    /**
     * Claims the longest due message of that kind for this attempt: no other process can claim it until the lease ends. From a primary account, or a
     * confirmation request if none is given.
     */
    async claim({
      kind,
      primaryId,
      leaseMs,
    }: {
      readonly kind: SubscriberKind;
      readonly primaryId: string | undefined;
      readonly leaseMs: number;
    }): Promise<PageMessage | undefined> {
      const due = db
        .selectFrom("page_messages")
        .select("seq")
        .where("kind", "=", kind)
        .where("next_attempt_at", "<=", engine.now())
        .orderBy("next_attempt_at")
        .orderBy("seq")
        .limit(1);
      const wanted =
        primaryId === undefined
          ? due.where("post_id", "is", null)
          : due.where("primary_id", "=", primaryId).where("post_id", "is not", null);
      const row = await db
        .updateTable("page_messages")
        .set((eb) => ({
          attempts: eb("attempts", "+", 1),
          next_attempt_at: eb(engine.now(), "+", leaseMs),
        }))
        .where("seq", "=", engine.lockFreeRows(wanted))
        .where("next_attempt_at", "<=", engine.now())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const post =
        row.post_id === null
          ? undefined
          : await db
              .selectFrom("page_posts")
              .selectAll()
              .where("id", "=", row.post_id)
              .executeTakeFirst();
      return fromRow(row, post);
    },
    /** Does nothing if it is gone, or was claimed for a later attempt. */
    async postpone(
      { seq, attempts }: Pick<PageMessage, "seq" | "attempts">,
      nextAttemptAt: number,
    ): Promise<void> {
      await db
        .updateTable("page_messages")
        .set({ next_attempt_at: nextAttemptAt })
        .where("seq", "=", seq)
        .where("attempts", "=", attempts)
        .execute();
    },
    /** The same for an attempt that was not made, and does not count. */
    async giveBack(
      { seq, attempts }: Pick<PageMessage, "seq" | "attempts">,
      nextAttemptAt: number,
    ): Promise<void> {
      await db
        .updateTable("page_messages")
        .set({ next_attempt_at: nextAttemptAt, attempts: attempts - 1 })
        .where("seq", "=", seq)
        .where("attempts", "=", attempts)
        .execute();
    },
    async remove(seq: number): Promise<void> {
      await db.deleteFrom("page_messages").where("seq", "=", seq).execute();
    },
  };
}

function fromRow(
  row: Selectable<PageMessageTable>,
  post: Selectable<PagePostTable> | undefined,
): PageMessage {
  return {
    seq: row.seq,
    subscriberId: row.subscriber_id,
    kind: row.kind,
    accountId: row.account_id,
    primaryId: row.primary_id,
    post: post && {
      id: post.id,
      pageId: post.page_id,
      incidentId: post.incident_id,
      from: post.from_update,
      to: post.to_update,
    },
    createdAt: row.created_at,
    attempts: row.attempts,
  };
}

async function announceUpdates(
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

/** Pages that show the incident, have a subscriber, and have no pending post about it. */
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

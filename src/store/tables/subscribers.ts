import { createHmac } from "node:crypto";
import { domainToASCII } from "node:url";

import type { Kysely, Selectable, Generated } from "kysely";

import type {
  Subscriber,
  SubscriberKind,
  SubscriberState,
} from "../../domain/status/subscriber.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { ownedRows } from "./owned-rows.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly page_subscribers: PageSubscriberTable;
  }
}

interface PageSubscriberTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly page_id: string;
  readonly kind: SubscriberKind;
  readonly digest: string;
  /** The address; null of one that has ended. */
  readonly sealed: Uint8Array | null;
  readonly state: SubscriberState;
  readonly created_at: number;
  readonly confirmed_at: number | null;
  readonly ends_at: number | null;
}

export interface SubscriberCounts {
  readonly pending: number;
  readonly confirmed: number;
  /** Number of confirmed webhooks. */
  readonly webhooks: number;
}

export interface PageKey {
  readonly accountId: string;
  readonly pageId: string;
}

interface Deps {
  readonly sealer: Sealer;
}

export function createSubscriberReads(db: Kysely<Database>, { sealer }: Deps) {
  return {
    /** Finds a subscriber of any account: the caller has proven that the ID was sent to them. */
    async find(id: string): Promise<Subscriber | undefined> {
      const row = await db
        .selectFrom("page_subscribers")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      return row && fromRow(row, sealer);
    },
    async findOf(accountId: string, id: string): Promise<Subscriber | undefined> {
      const row = await db
        .selectFrom("page_subscribers")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && fromRow(row, sealer);
    },
    /** Lists subscribers that have not ended, oldest first, after `after`. */
    async list(
      { accountId, pageId }: PageKey,
      { after, limit }: { readonly after: string | undefined; readonly limit: number },
    ): Promise<readonly Subscriber[]> {
      const rows = await db
        .selectFrom("page_subscribers")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("page_id", "=", pageId)
        .where("state", "in", ["pending", "confirmed"])
        .where("seq", ">", (eb) =>
          eb.fn.coalesce(
            eb
              .selectFrom("page_subscribers")
              .select("seq")
              .where("id", "=", after ?? "")
              .where("page_id", "=", pageId)
              .where("account_id", "=", accountId),
            eb.lit(0),
          ),
        )
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map((row) => fromRow(row, sealer));
    },
    async counts({ accountId, pageId }: PageKey): Promise<SubscriberCounts> {
      const rows = await db
        .selectFrom("page_subscribers")
        .select((eb) => ["state", "kind", eb.fn.countAll<number | bigint>().as("count")])
        .where("account_id", "=", accountId)
        .where("page_id", "=", pageId)
        .where("state", "in", ["pending", "confirmed"])
        .groupBy(["state", "kind"])
        .execute();
      const sum = (of: readonly (typeof rows)[number][]): number =>
        of.reduce((total, { count }) => total + Number(count), 0);
      return {
        pending: sum(rows.filter(({ state }) => state === "pending")),
        confirmed: sum(rows.filter(({ state }) => state === "confirmed")),
        webhooks: sum(rows.filter(({ kind }) => kind === "webhook")),
      };
    },
  };
}

export function createSubscriberWrites(db: Kysely<Database>, { sealer }: Deps) {
  const key = sealer.deriveKey("status page subscribers");
  return {
    /** Stores it, unless its page has or recently had one with that address, which is then returned. Mailboxes are compared without case and tag. */
    async insert(subscriber: Subscriber & { readonly address: string }): Promise<Subscriber> {
      const { id, accountId, pageId, kind, address, state, createdAt } = subscriber;
      const row = await db
        .insertInto("page_subscribers")
        .values({
          id,
          account_id: accountId,
          page_id: pageId,
          kind,
          digest: digestOf(key, subscriber),
          sealed: sealer.seal(address, id),
          state,
          created_at: createdAt,
          confirmed_at: subscriber.confirmedAt ?? null,
          ends_at: subscriber.endsAt ?? null,
        })
        // Writes something of one that is there as well, so that the time it takes does not show it.
        .onConflict((conflict) =>
          conflict.column("digest").doUpdateSet((eb) => ({ digest: eb.ref("excluded.digest") })),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromRow(row, sealer);
    },
    /** False if it is no longer pending. */
    async confirm(id: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("page_subscribers")
        .set({ state: "confirmed", confirmed_at: at, ends_at: null })
        .where("id", "=", id)
        .where("state", "=", "pending")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    /** Forgets the address and what was to be sent there, and keeps a hash until that instant. */
    async end(id: string, keptUntil: number): Promise<void> {
      await db
        .updateTable("page_subscribers")
        .set({ state: "ended", sealed: null, confirmed_at: null, ends_at: keptUntil })
        .where("id", "=", id)
        .execute();
      await db.deleteFrom("page_messages").where("subscriber_id", "=", id).execute();
    },
    /** Subscribes one that has ended again, where that is its address. */
    async resume(
      id: string,
      { address, at }: { readonly address: string; readonly at: number },
    ): Promise<boolean> {
      const row = await db
        .selectFrom("page_subscribers")
        .select(["page_id", "kind", "digest"])
        .where("id", "=", id)
        .where("state", "=", "ended")
        .executeTakeFirst();
      const isSame =
        row?.digest === digestOf(key, { pageId: row?.page_id ?? "", kind: "email", address });
      if (!isSame) return false;
      await db
        .updateTable("page_subscribers")
        .set({
          state: "confirmed",
          sealed: sealer.seal(address, id),
          confirmed_at: at,
          ends_at: null,
        })
        .where("id", "=", id)
        .execute();
      return true;
    },
    /** Nothing is kept of it. */
    remove: ownedRows(db, "page_subscribers").remove,
  };
}

function fromRow(row: Selectable<PageSubscriberTable>, sealer: Sealer): Subscriber {
  return {
    id: row.id,
    accountId: row.account_id,
    pageId: row.page_id,
    kind: row.kind,
    address: row.sealed === null ? undefined : sealer.open(row.sealed, row.id),
    state: row.state,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
  };
}

/** Providers that deliver what differs by dots to one mailbox. */
const withoutDots = new Set(["gmail.com", "googlemail.com"]);

/** Digest that identifies an address of a page. Keyed, so that a reader of the database cannot test addresses. */
function digestOf(
  key: Uint8Array,
  { pageId, kind, address }: Pick<Subscriber, "pageId" | "kind"> & { readonly address: string },
): string {
  const same = kind === "email" ? mailboxKeyOf(address) : address;
  return createHmac("sha256", key)
    .update(JSON.stringify([pageId, kind, same]))
    .digest("base64url");
}

/** A mailbox without its tag, in one spelling. */
function mailboxKeyOf(mailbox: string): string {
  const at = mailbox.lastIndexOf("@");
  const domain = mailbox.slice(at + 1).toLowerCase();
  const ascii = domainToASCII(domain) || domain;
  const local = mailbox.slice(0, at).normalize("NFKC").toLowerCase().replace(/\+.*$/s, "");
  return `${withoutDots.has(ascii) ? local.replaceAll(".", "") : local}@${ascii}`;
}

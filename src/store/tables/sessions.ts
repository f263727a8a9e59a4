import type { Kysely, Selectable } from "kysely";

import type { Account } from "../../domain/account/account.ts";
import type { Session, SignInLink } from "../../domain/account/session.ts";
import type { Contact } from "../../domain/contact/contact.ts";
import { accountFromRow } from "./accounts.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly sessions: SessionTable;
    readonly sign_in_links: SignInLinkTable;
  }
}

interface SessionTable {
  readonly digest: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly created_at: number;
  readonly used_at: number;
  readonly ends_at: number;
  readonly client: string;
  readonly agent: string;
}

interface SignInLinkTable {
  readonly digest: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly ends_at: number;
}

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

/** A session with whom it is of, as they are now. */
export interface FoundSession {
  readonly session: Session;
  readonly account: Account;
  readonly contact: Pick<Contact, "id" | "name" | "role">;
}

export function createSessionReads(db: Kysely<Database>) {
  return {
    /** Also one that has ended. */
    async find(digest: string): Promise<FoundSession | undefined> {
      const row = await db
        .selectFrom("sessions")
        .selectAll()
        .where("digest", "=", digest)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { account_id: accountId, contact_id: contactId } = row;
      const account = await db
        .selectFrom("accounts")
        .selectAll()
        .where("id", "=", accountId)
        .executeTakeFirst();
      const contact = await db
        .selectFrom("contacts")
        .select(["id", "name", "role"])
        .where("account_id", "=", accountId)
        .where("id", "=", contactId)
        .executeTakeFirst();
      if (account === undefined || contact === undefined) return undefined;
      return { session: fromRow(row), account: accountFromRow(account), contact };
    },
    /** The newest first. */
    async listOf(accountId: string, contactId: string): Promise<readonly Session[]> {
      const rows = await db
        .selectFrom("sessions")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .orderBy("created_at", "desc")
        .orderBy("digest")
        .execute();
      return rows.map(fromRow);
    },
    /** Returns whether the address has a session that lasts beyond `now`. */
    async isClientKnown(client: string, now: number): Promise<boolean> {
      const row = await db
        .selectFrom("sessions")
        .select("digest")
        .where("client", "=", client)
        .where("ends_at", ">", now)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Also one that has ended. */
    async findLink(digest: string): Promise<SignInLink | undefined> {
      const row = await db
        .selectFrom("sign_in_links")
        .selectAll()
        .where("digest", "=", digest)
        .executeTakeFirst();
      return row && { ...owner(row), digest, endsAt: row.ends_at };
    },
  };
}

export function createSessionWrites(db: Kysely<Database>) {
  return {
    /** Inserts a session, and removes expired ones and the oldest above the limit. */
    async insert(session: Session, maxPerContact: number): Promise<void> {
      const { digest, accountId, contactId, createdAt, usedAt, endsAt, client, agent } = session;
      await db
        .insertInto("sessions")
        .values({
          digest,
          account_id: accountId,
          contact_id: contactId,
          created_at: createdAt,
          used_at: usedAt,
          ends_at: endsAt,
          client,
          agent,
        })
        .execute();
      const ofContact = db
        .selectFrom("sessions")
        .select("digest")
        .where("contact_id", "=", contactId)
        .orderBy("created_at", "desc")
        .orderBy("digest")
        .limit(maxPerContact);
      await db
        .deleteFrom("sessions")
        .where("contact_id", "=", contactId)
        .where((eb) => eb.or([eb("ends_at", "<=", createdAt), eb("digest", "not in", ofContact)]))
        .execute();
    },
    /** Records that a request carried it, unless a use after `since` is already recorded. */
    async noteUse({
      digest,
      at,
      since,
    }: {
      readonly digest: string;
      readonly at: number;
      readonly since: number;
    }): Promise<void> {
      await db
        .updateTable("sessions")
        .set({ used_at: at })
        .where("digest", "=", digest)
        .where("used_at", "<=", since)
        .execute();
    },
    /** True if it existed. */
    async remove(digest: string): Promise<boolean> {
      const removed = await db
        .deleteFrom("sessions")
        .where("digest", "=", digest)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
    /** Ends all sessions of the contact for good, and what would lead to one, but for the session that is kept. */
    endAll: (contactId: string, keptDigest?: string): Promise<void> =>
      endSignIns(db, contactId, keptDigest),
    /** It replaces an earlier link of the contact. */
    async insertLink({ digest, accountId, contactId, endsAt }: SignInLink): Promise<void> {
      await db.deleteFrom("sign_in_links").where("contact_id", "=", contactId).execute();
      await db
        .insertInto("sign_in_links")
        .values({ digest, account_id: accountId, contact_id: contactId, ends_at: endsAt })
        .execute();
    },
    /** True if it existed: only one of two concurrent requests signs in. */
    async removeLink(digest: string): Promise<boolean> {
      const removed = await db
        .deleteFrom("sign_in_links")
        .where("digest", "=", digest)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

function owner(row: { readonly account_id: string; readonly contact_id: string }) {
  return { accountId: row.account_id, contactId: row.contact_id };
}

function fromRow(row: Selectable<SessionTable>): Session {
  return {
    ...owner(row),
    digest: row.digest,
    createdAt: row.created_at,
    usedAt: row.used_at,
    endsAt: row.ends_at,
    client: row.client,
    agent: row.agent,
  };
}

import type { Kysely, Selectable } from "kysely";

import type { Session } from "../../../domain/account/session.ts";
import type { SessionReads, SessionWrites } from "../../identity/sessions.ts";
import { accountFromRow } from "../accounts.ts";
import type { SessionTable } from "../account-tables.ts";
import { endSignIns } from "./end-sign-ins.ts";
import type { Database } from "../tables.ts";

export function createSessions(db: Kysely<Database>): SessionReads & SessionWrites {
  return { ...createReads(db), ...createWrites(db) };
}

function createReads(db: Kysely<Database>): SessionReads {
  return {
    async find(digest) {
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
    async listOf(accountId, contactId) {
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
    async isClientKnown(client, now) {
      const row = await db
        .selectFrom("sessions")
        .select("digest")
        .where("client", "=", client)
        .where("ends_at", ">", now)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async findLink(digest) {
      const row = await db
        .selectFrom("sign_in_links")
        .selectAll()
        .where("digest", "=", digest)
        .executeTakeFirst();
      return row && { ...owner(row), digest, endsAt: row.ends_at };
    },
  };
}

function createWrites(db: Kysely<Database>): SessionWrites {
  return {
    async insert(session, mostOfContact) {
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
        .limit(mostOfContact);
      await db
        .deleteFrom("sessions")
        .where("contact_id", "=", contactId)
        .where((eb) => eb.or([eb("ends_at", "<=", createdAt), eb("digest", "not in", ofContact)]))
        .execute();
    },
    async noteUse({ digest, at, since }) {
      await db
        .updateTable("sessions")
        .set({ used_at: at })
        .where("digest", "=", digest)
        .where("used_at", "<=", since)
        .execute();
    },
    async remove(digest) {
      const removed = await db
        .deleteFrom("sessions")
        .where("digest", "=", digest)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
    endAll: (contactId, keptDigest) => endSignIns(db, contactId, keptDigest),
    async insertLink({ digest, accountId, contactId, endsAt }) {
      await db.deleteFrom("sign_in_links").where("contact_id", "=", contactId).execute();
      await db
        .insertInto("sign_in_links")
        .values({ digest, account_id: accountId, contact_id: contactId, ends_at: endsAt })
        .execute();
    },
    async removeLink(digest) {
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

import type { Kysely } from "kysely";

import type { Contact } from "../../../domain/contact/contact.ts";
import { releaseConfirmed } from "../alerts/unconfirmed.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { hashOfMailbox, mailboxKeyOf } from "./mailbox-key.ts";

export function createConfirmationReads(db: Kysely<Database>) {
  return {
    /** Whether the account has the mailbox as an address that is confirmed. */
    async isConfirmed(accountId: string, mailbox: string): Promise<boolean> {
      const row = await db
        .selectFrom("addresses")
        .select("id")
        .where("account_id", "=", accountId)
        .where("mailbox", "=", hashOfMailbox(mailbox))
        .where("confirmed", "=", 1)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export function createConfirmationWrites(db: Kysely<Database>, engine: Engine) {
  const unconfirmed = db.updateTable("addresses").set({ confirmed: 1 }).where("confirmed", "=", 0);
  return {
    /** Confirms all addresses of the account that are the mailbox and releases alerts held for it; false if no address was unconfirmed. */
    async confirmMailbox(accountId: string, mailbox: string): Promise<boolean> {
      const key = hashOfMailbox(mailbox);
      await lockMailbox(db, engine, { accountId, key });
      const rows = await unconfirmed
        .where("account_id", "=", accountId)
        .where("mailbox", "=", key)
        .returning("contact_id")
        .execute();
      const contactIds = new Set(rows.map((row) => row.contact_id));
      for (const contactId of contactIds) await releaseConfirmed(db, engine, contactId);
      return rows.length > 0;
    },
    /** Confirms all unconfirmed addresses, without asking their owners. */
    async confirmAll(): Promise<void> {
      const { numUpdatedRows } = await unconfirmed.executeTakeFirst();
      if (numUpdatedRows > 0n) await releaseConfirmed(db, engine);
    },
  };
}

/** Prepares a contact's addresses for storing: a mailbox confirmed in the account is confirmed in every contact. */
export async function withConfirmations(
  db: Kysely<Database>,
  engine: Engine,
  contact: Contact,
): Promise<Contact> {
  const { accountId } = contact;
  const keys = contact.addresses.flatMap((address) =>
    address.confirmed ? [] : (mailboxKeyOf(address) ?? []),
  );
  if (keys.length === 0) return contact;
  for (const key of keys.toSorted()) await lockMailbox(db, engine, { accountId, key });
  const rows = await db
    .selectFrom("addresses")
    .select("mailbox")
    .where("account_id", "=", accountId)
    .where("mailbox", "in", keys)
    .where("confirmed", "=", 1)
    .execute();
  const known = new Set(rows.map(({ mailbox }) => mailbox));
  const addresses = contact.addresses.map((address) => ({
    ...address,
    confirmed: address.confirmed || known.has(mailboxKeyOf(address) ?? null),
  }));
  return { ...contact, addresses };
}

/** Serializes contact writes with confirmations of its mailboxes, because replaced address rows cannot be locked. */
function lockMailbox(
  db: Kysely<Database>,
  { lockName }: Engine,
  { accountId, key }: { readonly accountId: string; readonly key: string },
): Promise<void> {
  return lockName(db, `confirmation ${accountId} ${key}`);
}

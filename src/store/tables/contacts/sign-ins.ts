import type { Kysely } from "kysely";
import type { ContactRef } from "../../../domain/account/second-factor.ts";
import type { SignIn } from "../contacts.ts";

import type { Database } from "../database.ts";
import { hashOfMailbox } from "./mailbox-key.ts";

/** Reads sign-in contacts and their passwords. */
export function createSignInReads(db: Kysely<Database>) {
  return {
    /** Finds contacts that may sign in with the mailbox, in any account or the given one: those with a password and this first mailbox, oldest first. */
    async findSignIns({
      mailbox,
      accountId,
      limit,
    }: {
      readonly mailbox: string;
      readonly accountId: string | undefined;
      readonly limit: number;
    }): Promise<readonly SignIn[]> {
      const rows = await ofMailbox(db, mailbox)
        .where("contacts.password", "is not", null)
        .$if(accountId !== undefined, (query) =>
          query.where("addresses.account_id", "=", accountId ?? ""),
        )
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        accountId: row.account_id,
        contactId: row.id,
        password: row.password ?? "",
      }));
    },
    /** Finds contacts that may sign in with the mailbox once they have a password, in any account, oldest first. */
    async findByMailbox(mailbox: string, limit: number): Promise<readonly ContactRef[]> {
      const rows = await ofMailbox(db, mailbox).limit(limit).execute();
      return rows.map((row) => ({ accountId: row.account_id, contactId: row.id }));
    },
    /** Finds contacts that may sign in with the mailbox and have confirmed it, with or without a password, in any account or the given one, oldest first. */
    async findConfirmedSignIn({
      mailbox,
      accountId,
    }: {
      readonly mailbox: string;
      readonly accountId: string | undefined;
    }): Promise<ContactRef | undefined> {
      const row = await ofMailbox(db, mailbox)
        // guard: confirmed mailboxes of who signs in elsewhere
        .where("addresses.confirmed", "=", 1)
        .$if(accountId !== undefined, (query) =>
          query.where("addresses.account_id", "=", accountId ?? ""),
        )
        .limit(1)
        .executeTakeFirst();
      return row && { accountId: row.account_id, contactId: row.id };
    },
    /** The hash of its password. */
    async passwordOf(accountId: string, id: string): Promise<string | undefined> {
      const row = await db
        .selectFrom("contacts")
        .select("password")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row?.password ?? undefined;
    },
  };
}

/** Contacts that may sign in with the mailbox, by age. */
function ofMailbox(db: Kysely<Database>, mailbox: string) {
  return (
    db
      .selectFrom("addresses")
      .innerJoin("contacts", "contacts.id", "addresses.contact_id")
      .innerJoin("accounts", "accounts.id", "contacts.account_id")
      .select(["contacts.account_id", "contacts.id", "contacts.password"])
      .where("addresses.mailbox", "=", hashOfMailbox(mailbox))
      .where("contacts.role", "!=", "notify")
      .where("accounts.status", "!=", "deleted")
      // The first mailbox of a contact is its name to sign in.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("addresses as earlier")
              .select("earlier.id")
              .whereRef("earlier.contact_id", "=", "addresses.contact_id")
              .where("earlier.mailbox", "is not", null)
              .whereRef("earlier.position", "<", "addresses.position"),
          ),
        ),
      )
      .orderBy("contacts.seq")
  );
}

import type { Kysely } from "kysely";

import type { ContactReads } from "../../contacts.ts";
import type { Database } from "../tables.ts";
import { hashOfMailbox } from "./mailbox-key.ts";

export type SignInReads = Pick<
  ContactReads,
  "findSignIns" | "findByMailbox" | "findConfirmedSignIn" | "passwordOf"
>;

/** Who signs in, and with which password. */
export function createSignIns(db: Kysely<Database>): SignInReads {
  return {
    async findSignIns({ mailbox, accountId, limit }) {
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
    async findByMailbox(mailbox, limit) {
      const rows = await ofMailbox(db, mailbox).limit(limit).execute();
      return rows.map((row) => ({ accountId: row.account_id, contactId: row.id }));
    },
    async findConfirmedSignIn({ mailbox, accountId }) {
      const row = await ofMailbox(db, mailbox)
        .where("addresses.confirmed", "=", 1)
        .$if(accountId !== undefined, (query) =>
          query.where("addresses.account_id", "=", accountId ?? ""),
        )
        .limit(1)
        .executeTakeFirst();
      return row && { accountId: row.account_id, contactId: row.id };
    },
    async passwordOf(accountId, id) {
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

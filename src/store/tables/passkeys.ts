import type { Kysely, Selectable } from "kysely";

import type { Passkey, ContactRef } from "../../domain/account/second-factor.ts";
import type { PasskeyTable } from "./account-tables.ts";
import type { Database } from "./database.ts";

export function createPasskeyWrites(db: Kysely<Database>) {
  return {
    async insertPasskey({
      id,
      accountId,
      contactId,
      label,
      publicKey,
      ...rest
    }: Passkey): Promise<void> {
      const { counter, transports, createdAt, usedAt } = rest;
      await db
        .insertInto("passkeys")
        .values({
          id,
          account_id: accountId,
          contact_id: contactId,
          label,
          public_key: publicKey,
          counter,
          transports: JSON.stringify(transports),
          created_at: createdAt,
          used_at: usedAt ?? null,
        })
        .execute();
    },
    /** Uses a signature of a passkey of the contact. False where there is none, or one with that count was used: then the key has been copied. */
    async takePasskey({
      accountId,
      contactId,
      id,
      counter,
      at,
    }: ContactRef & Pick<Passkey, "id" | "counter"> & { readonly at: number }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("passkeys")
        .set({ counter, used_at: at })
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .where("id", "=", id)
        // A holder that does not count gives 0 each time.
        .$if(counter === 0, (query) => query.where("counter", "=", 0))
        .$if(counter > 0, (query) => query.where("counter", "<", counter))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    /** True where there was one. */
    async removePasskey({ accountId, contactId }: ContactRef, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom("passkeys")
        .where("account_id", "=", accountId)
        .where("contact_id", "=", contactId)
        .where("id", "=", id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

export function passkeyFromRow(row: Selectable<PasskeyTable>): Passkey {
  return {
    id: row.id,
    accountId: row.account_id,
    contactId: row.contact_id,
    label: row.label,
    publicKey: new Uint8Array(row.public_key),
    counter: row.counter,
    transports: JSON.parse(row.transports),
    createdAt: row.created_at,
    usedAt: row.used_at ?? undefined,
  };
}

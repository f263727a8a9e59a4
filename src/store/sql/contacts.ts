import type { Kysely, Selectable } from "kysely";

import type { Address, Contact } from "../../domain/contact.ts";
import type { ContactReads, ContactWrites } from "../contacts.ts";
import { flag } from "./database.ts";
import type { AddressTable, ContactTable, Database } from "./database.ts";

export function createContacts(db: Kysely<Database>): ContactReads & ContactWrites {
  const addresses = db
    .selectFrom("addresses")
    .innerJoin("contacts", "contacts.id", "addresses.contact_id")
    .selectAll("addresses")
    .orderBy("contacts.seq")
    .orderBy("addresses.position");

  const insertAddresses = async (contact: Contact): Promise<void> => {
    for (const [position, address] of contact.addresses.entries()) {
      await db
        .insertInto("addresses")
        .values(toAddressRow(contact.id, position, address))
        .execute();
    }
  };

  return {
    async find(accountId, id) {
      const row = await db
        .selectFrom("contacts")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && fromRow(row, await addresses.where("contacts.id", "=", id).execute());
    },
    async list(accountId) {
      const rows = await db
        .selectFrom("contacts")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("seq")
        .execute();
      const ofContact = Map.groupBy(
        await addresses.where("contacts.account_id", "=", accountId).execute(),
        (row) => row.contact_id,
      );
      return rows.map((row) => fromRow(row, ofContact.get(row.id) ?? []));
    },
    async addressesOf(accountId, recipientId) {
      const rows = await addresses
        .where("contacts.account_id", "=", accountId)
        .where((eb) =>
          eb.or([eb("contacts.id", "=", recipientId), eb("addresses.id", "=", recipientId)]),
        )
        .execute();
      return rows.map((row) => ({ contactId: row.contact_id, address: fromAddressRow(row) }));
    },
    async unknown(accountId, recipientIds) {
      const contactIds = await db
        .selectFrom("contacts")
        .select("id")
        .where("account_id", "=", accountId)
        .execute();
      const addressIds = await addresses
        .clearSelect()
        .select("addresses.id")
        .where("contacts.account_id", "=", accountId)
        .execute();
      const known = new Set([...contactIds, ...addressIds].map(({ id }) => id));
      return recipientIds.filter((id) => !known.has(id));
    },
    async insert(contact) {
      const { id, accountId, name, role } = contact;
      await db.insertInto("contacts").values({ id, account_id: accountId, name, role }).execute();
      await insertAddresses(contact);
    },
    async update(contact) {
      const { id, accountId, name, role } = contact;
      await db
        .updateTable("contacts")
        .set({ name, role })
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirstOrThrow();
      await db.deleteFrom("addresses").where("contact_id", "=", id).execute();
      await insertAddresses(contact);
    },
    async remove(accountId, id) {
      const removed = await db
        .deleteFrom("contacts")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

function fromRow(
  row: Selectable<ContactTable>,
  addresses: readonly Selectable<AddressTable>[],
): Contact {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    role: row.role,
    addresses: addresses.map(fromAddressRow),
  };
}

function fromAddressRow(row: Selectable<AddressTable>): Address {
  return {
    id: row.id,
    kind: row.kind,
    address: row.address,
    status: row.status,
    suppress: {
      up: row.suppress_up === 1,
      down: row.suppress_down === 1,
      first: row.suppress_first === 1,
      all: row.suppress_all === 1,
    },
  };
}

function toAddressRow(
  contactId: string,
  position: number,
  { id, kind, address, status, suppress }: Address,
): Selectable<AddressTable> {
  return {
    contact_id: contactId,
    id,
    position,
    kind,
    address,
    status,
    suppress_up: flag(suppress.up),
    suppress_down: flag(suppress.down),
    suppress_first: flag(suppress.first),
    suppress_all: flag(suppress.all),
  };
}

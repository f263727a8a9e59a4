import type { Kysely, Selectable } from "kysely";

import type { Address, Contact, WebhookRequest } from "../../domain/contact.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { ContactReads, ContactWrites } from "../contacts.ts";
import { toFlag, muteFromRow, muteToRow } from "./tables.ts";
import type { AddressTable, ContactTable, Database } from "./tables.ts";

export function createContacts(
  db: Kysely<Database>,
  { sealer }: { readonly sealer: Sealer },
): ContactReads & ContactWrites {
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
        .values(toAddressRow(contact.id, { position, address, sealer }))
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
      return row && fromRow(row, await addresses.where("contacts.id", "=", id).execute(), sealer);
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
      return rows.map((row) => fromRow(row, ofContact.get(row.id) ?? [], sealer));
    },
    async findAddresses(accountId, recipientIds) {
      const rows = await addresses
        .clearSelect()
        .select(["addresses.contact_id", "addresses.id"])
        .where("contacts.account_id", "=", accountId)
        .where((eb) =>
          eb.or([eb("contacts.id", "in", recipientIds), eb("addresses.id", "in", recipientIds)]),
        )
        .execute();
      return rows.map(({ contact_id, id }) => ({ contactId: contact_id, addressId: id }));
    },
    async missingIds(accountId, recipientIds) {
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
    async passwordSetAt(accountId, id) {
      const row = await db
        .selectFrom("contacts")
        .select("password_set_at")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row?.password_set_at ?? undefined;
    },
    async insert(contact) {
      const { id, accountId, name, role } = contact;
      await db
        .insertInto("contacts")
        .values({ id, account_id: accountId, name, role, password: null, password_set_at: null })
        .execute();
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
    async changeAddressStatus({ accountId, contactId, addressId, address, status, refusal }) {
      const known = await addresses
        .where("contacts.account_id", "=", accountId)
        .where("contacts.id", "=", contactId)
        .where("addresses.id", "=", addressId)
        .executeTakeFirst();
      if (known === undefined || fromAddressRow(known, sealer).address !== address) return;
      if (known.status === status || (known.status === "disabled" && status === "refused")) return;
      await db
        .updateTable("addresses")
        .set({ status, refused_at: refusal?.at ?? null, refusal: refusal?.reason ?? null })
        .where("contact_id", "=", contactId)
        .where("id", "=", addressId)
        .execute();
    },
    async setPassword({ accountId, contactId, hash, at }) {
      const set = await db
        .updateTable("contacts")
        .set({ password: hash, password_set_at: at })
        .where("account_id", "=", accountId)
        .where("id", "=", contactId)
        .executeTakeFirst();
      return set.numUpdatedRows > 0n;
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
  sealer: Sealer,
): Contact {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    role: row.role,
    addresses: addresses.map((address) => fromAddressRow(address, sealer)),
  };
}

const usualRequest: WebhookRequest = {
  action: undefined,
  headers: undefined,
  querystrings: undefined,
  data: undefined,
};

/** What it takes to reach an address, credentials included. */
type Reach = Pick<Address, "address"> & Partial<Pick<Address, "request" | "priority">>;

function fromAddressRow(row: Selectable<AddressTable>, sealer: Sealer): Address {
  const reach: Reach =
    row.sealed === null ? { address: row.address } : JSON.parse(sealer.open(row.sealed));
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    refusal:
      row.refused_at === null ? undefined : { at: row.refused_at, reason: row.refusal ?? "" },
    suppress: {
      up: row.suppress_up === 1,
      down: row.suppress_down === 1,
      first: row.suppress_first === 1,
      all: row.suppress_all === 1,
      diagnostics: row.suppress_diagnostics === 1,
    },
    mute: muteFromRow(row.mute),
    priority: undefined,
    ...reach,
    // JSON has no members that are undefined.
    request: reach.request && { ...usualRequest, ...reach.request },
  };
}

function toAddressRow(
  contactId: string,
  {
    position,
    address: { id, kind, status, refusal, suppress, mute, address, request, priority },
    sealer,
  }: { readonly position: number; readonly address: Address; readonly sealer: Sealer },
): Selectable<AddressTable> {
  const reach: Reach = { address, request, priority };
  return {
    contact_id: contactId,
    id,
    position,
    kind,
    address: "",
    status,
    refused_at: refusal?.at ?? null,
    refusal: refusal?.reason ?? null,
    suppress_up: toFlag(suppress.up),
    suppress_down: toFlag(suppress.down),
    suppress_first: toFlag(suppress.first),
    suppress_all: toFlag(suppress.all),
    suppress_diagnostics: toFlag(suppress.diagnostics),
    mute: muteToRow(mute),
    sealed: sealer.seal(JSON.stringify(reach)),
  };
}

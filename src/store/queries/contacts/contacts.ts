import type { Kysely, Selectable, Updateable } from "kysely";

import {
  mailboxOf,
  type AddressStatus,
  type Contact,
  type Address,
  type WebhookRequest,
} from "../../../domain/contact/contact.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { AddressKey, ContactReads, ContactWrites } from "../../contacts.ts";
import { destinationOf } from "../../destination.ts";
import { judgePostponed } from "../alerts/postponed.ts";
import { releaseConfirmed } from "../alerts/unconfirmed.ts";
import type { Engine } from "../engine.ts";
import { createConfirmations, withConfirmations } from "./confirmations.ts";
import { muteFromRow, muteToRow, toFlag } from "../columns.ts";
import { ownedRows } from "../owned-rows.ts";
import type { Database } from "../tables.ts";
import type { AddressTable, ContactTable } from "./contact-tables.ts";
import { endSignIns } from "../identity/end-sign-ins.ts";
import { hashOfMailbox, mailboxKeyOf } from "./mailbox-key.ts";
import { createSignIns, type SignInReads } from "./sign-ins.ts";

interface Deps {
  readonly engine: Engine;
  readonly sealer: Sealer;
}

export function createContacts(db: Kysely<Database>, deps: Deps): ContactReads & ContactWrites {
  return {
    ...createContactReads(db, deps),
    ...createContactWrites(db, deps),
    ...createConfirmations(db, deps.engine),
    ...createSignIns(db),
    async changeAddressStatus({ status, refusal, ...address }) {
      const columns = {
        status,
        refused_at: refusal?.at ?? null,
        refusal: refusal?.reason ?? null,
      };
      await updateAddress(db, deps, { address, columns, unlessStatus: outranking(status) });
    },
    suppressAddress: (address) =>
      updateAddress(db, deps, { address, columns: { suppress_all: toFlag(true) } }),
  };
}

function addressRows(db: Kysely<Database>) {
  return db
    .selectFrom("addresses")
    .innerJoin("contacts", "contacts.id", "addresses.contact_id")
    .selectAll("addresses")
    .orderBy("contacts.seq")
    .orderBy("addresses.position");
}

function createContactReads(
  db: Kysely<Database>,
  { sealer }: Deps,
): Omit<ContactReads, "isConfirmed" | keyof SignInReads> {
  const addresses = addressRows(db);
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
    async findAddress(accountId, { contactId, addressId }) {
      const row = await addresses
        .where("contacts.account_id", "=", accountId)
        .where("contacts.id", "=", contactId)
        .where("addresses.id", "=", addressId)
        .executeTakeFirst();
      return row && fromAddressRow(row, sealer);
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
  };
}

function createContactWrites(
  db: Kysely<Database>,
  { engine, sealer }: Deps,
): Pick<ContactWrites, "insert" | "update" | "setPassword" | "remove"> {
  const insertAddresses = async (contact: Contact): Promise<void> => {
    for (const [position, address] of contact.addresses.entries()) {
      await db
        .insertInto("addresses")
        .values(toAddressRow(contact, { position, address, sealer }))
        .execute();
    }
  };
  return {
    async insert(contact) {
      const { id, accountId, name, role } = contact;
      const stored = await withConfirmations(db, engine, contact);
      await db
        .insertInto("contacts")
        .values({ id, account_id: accountId, name, role, password: null, password_set_at: null })
        .execute();
      await insertAddresses(stored);
    },
    async update(contact) {
      const { id, accountId, name, role } = contact;
      const stored = await withConfirmations(db, engine, contact);
      if (await changesSignIn(db, contact)) await endSignIns(db, id);
      await db
        .updateTable("contacts")
        .set({ name, role })
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirstOrThrow();
      await db.deleteFrom("addresses").where("contact_id", "=", id).execute();
      await insertAddresses(stored);
      await releaseConfirmed(db, engine, id);
      await judgePostponed(db, { accountId, contactId: id });
    },
    async setPassword({ accountId, contactId, hash, at }) {
      await endSignIns(db, contactId);
      const set = await db
        .updateTable("contacts")
        .set({ password: hash, password_set_at: at })
        .where("account_id", "=", accountId)
        .where("id", "=", contactId)
        .executeTakeFirst();
      return set.numUpdatedRows > 0n;
    },
    async remove(accountId, id) {
      const isRemoved = await ownedRows(db, "contacts").remove(accountId, id);
      await releaseConfirmed(db, engine, id);
      return isRemoved;
    },
  };
}

/** Whether the contact has another role, or signs in with another mailbox, than is stored. */
async function changesSignIn(
  db: Kysely<Database>,
  contact: Pick<Contact, "id" | "role" | "addresses">,
): Promise<boolean> {
  const known = await db
    .selectFrom("contacts")
    .select("role")
    .where("id", "=", contact.id)
    .executeTakeFirst();
  const first = await db
    .selectFrom("addresses")
    .select("mailbox")
    .where("contact_id", "=", contact.id)
    .where("mailbox", "is not", null)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  const mailbox = mailboxOf(contact);
  const hash = mailbox === undefined ? undefined : hashOfMailbox(mailbox);
  return known?.role !== contact.role || (first?.mailbox ?? undefined) !== hash;
}

interface AddressUpdate {
  readonly address: AddressKey;
  readonly columns: Updateable<AddressTable>;
  readonly unlessStatus?: readonly AddressStatus[];
}

/**
 * Updates an address as long as it leads to where it did. What it leads to is sealed, so it is compared here, and the update
 * has for its condition that those bytes are still the same; where they are not, it is compared again.
 */
async function updateAddress(
  db: Kysely<Database>,
  { sealer }: Deps,
  { address, columns, unlessStatus = [] }: AddressUpdate,
): Promise<void> {
  const { accountId, contactId, addressId } = address;
  for (;;) {
    const known = await addressRows(db)
      .where("contacts.account_id", "=", accountId)
      .where("contacts.id", "=", contactId)
      .where("addresses.id", "=", addressId)
      .executeTakeFirst();
    if (known === undefined || unlessStatus.includes(known.status)) return;
    if (fromAddressRow(known, sealer).address !== address.address) return;
    const { numUpdatedRows } = await db
      .updateTable("addresses")
      .set(columns)
      .where("contact_id", "=", contactId)
      .where("id", "=", addressId)
      .where("sealed", "=", known.sealed)
      .where("status", "not in", unlessStatus)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return;
  }
}

/** The first refusal counts, until there is a worse one or none any more. */
function outranking(status: AddressStatus): readonly AddressStatus[] {
  return status === "refused" ? ["refused", "disabled"] : [status];
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
  const reach: Reach = JSON.parse(sealer.open(row.sealed));
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
    confirmed: row.confirmed === 1,
    priority: undefined,
    ...reach,
    // JSON has no members that are undefined.
    request: reach.request && { ...usualRequest, ...reach.request },
  };
}

function toAddressRow(
  { id: contactId, accountId }: Pick<Contact, "id" | "accountId">,
  {
    position,
    address: { id, kind, status, refusal, suppress, mute, confirmed, address, request, priority },
    sealer,
  }: { readonly position: number; readonly address: Address; readonly sealer: Sealer },
): Selectable<AddressTable> {
  const reach: Reach = { address, request, priority };
  return {
    account_id: accountId,
    contact_id: contactId,
    id,
    position,
    kind,
    status,
    refused_at: refusal?.at ?? null,
    refusal: refusal?.reason ?? null,
    suppress_up: toFlag(suppress.up),
    suppress_down: toFlag(suppress.down),
    suppress_first: toFlag(suppress.first),
    suppress_all: toFlag(suppress.all),
    suppress_diagnostics: toFlag(suppress.diagnostics),
    mute: muteToRow(mute),
    confirmed: toFlag(confirmed),
    mailbox: mailboxKeyOf({ kind, address }) ?? null,
    destination: destinationOf({ kind, address }),
    sealed: sealer.seal(JSON.stringify(reach)),
  };
}

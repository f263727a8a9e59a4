import type { Kysely, Selectable, Updateable } from "kysely";
import type { AddressRef } from "../../../domain/contact/recipients.ts";

import {
  mailboxOf,
  type AddressStatus,
  type Contact,
  type Address,
  type WebhookRequest,
} from "../../../domain/contact/contact.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import { destinationOf } from "../../destination.ts";
import { judgePostponed } from "../alerts/postponed.ts";
import { releaseConfirmed } from "../alerts/unconfirmed.ts";
import type { Engine } from "../engine.ts";
import {
  createConfirmationReads,
  createConfirmationWrites,
  withConfirmations,
} from "./confirmations.ts";
import { muteFromRow, muteToRow, toFlag } from "../columns.ts";
import type { AddressKey, AddressStatusChange, AddressTable, ContactTable } from "../contacts.ts";
import { ownedRows } from "../owned-rows.ts";
import type { Database } from "../database.ts";
import { endSignIns } from "../sessions.ts";
import { hashOfMailbox, mailboxKeyOf } from "./mailbox-key.ts";
import { createSignInReads } from "./sign-ins.ts";

interface Deps {
  readonly engine: Engine;
  readonly sealer: Sealer;
}

function addressRows(db: Kysely<Database>) {
  return db
    .selectFrom("addresses")
    .innerJoin("contacts", "contacts.id", "addresses.contact_id")
    .selectAll("addresses")
    .orderBy("contacts.seq")
    .orderBy("addresses.position");
}

export function createContactReads(db: Kysely<Database>, { sealer }: Deps) {
  const addresses = addressRows(db);
  return {
    ...createConfirmationReads(db),
    ...createSignInReads(db),
    async find(accountId: string, id: string): Promise<Contact | undefined> {
      const row = await db
        .selectFrom("contacts")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && fromRow(row, await addresses.where("contacts.id", "=", id).execute(), sealer);
    },
    /** One of its addresses: reading all takes as long as what they hold, which may be a hundred bodies of webhooks. */
    async findAddress(
      accountId: string,
      { contactId, addressId }: AddressRef,
    ): Promise<Address | undefined> {
      const row = await addresses
        .where("contacts.account_id", "=", accountId)
        .where("contacts.id", "=", contactId)
        .where("addresses.id", "=", addressId)
        .executeTakeFirst();
      return row && fromAddressRow(row, sealer);
    },
    /** Passkeys, oldest first. */
    async list(accountId: string): Promise<readonly Contact[]> {
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
    /** Resolves contact and address IDs to addresses within the account: contacts by age, each with its addresses in order. */
    async findAddresses(
      accountId: string,
      recipientIds: readonly string[],
    ): Promise<readonly AddressRef[]> {
      const rows = await addresses
        .clearSelect()
        .select(["addresses.contact_id", "addresses.id"])
        // guard: alerts within the account
        .where("contacts.account_id", "=", accountId)
        .where((eb) =>
          eb.or([eb("contacts.id", "in", recipientIds), eb("addresses.id", "in", recipientIds)]),
        )
        .execute();
      return rows.map(({ contact_id, id }) => ({ contactId: contact_id, addressId: id }));
    },
    /** Returns the IDs that are neither a contact nor an address of the account. */
    missingIds: (accountId: string, recipientIds: readonly string[]): Promise<readonly string[]> =>
      missingIds(db, accountId, recipientIds),
    /** Undefined if the contact never had a password. */
    async passwordSetAt(accountId: string, id: string): Promise<number | undefined> {
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

async function missingIds(
  db: Kysely<Database>,
  accountId: string,
  recipientIds: readonly string[],
): Promise<readonly string[]> {
  const contactIds = await db
    .selectFrom("contacts")
    .select("id")
    .where("account_id", "=", accountId)
    .execute();
  const addressIds = await addressRows(db)
    .clearSelect()
    .select("addresses.id")
    .where("contacts.account_id", "=", accountId)
    .execute();
  const known = new Set([...contactIds, ...addressIds].map(({ id }) => id));
  return recipientIds.filter((id) => !known.has(id));
}

export function createContactWrites(db: Kysely<Database>, { engine, sealer }: Deps) {
  const insertAddresses = async (contact: Contact): Promise<void> => {
    for (const [position, address] of contact.addresses.entries()) {
      await db
        .insertInto("addresses")
        .values(toAddressRow(contact, { position, address, sealer }))
        .execute();
    }
  };
  return {
    ...createConfirmationWrites(db, engine),
    /** A mailbox that the account has confirmed already is stored as confirmed. */
    async insert(contact: Contact): Promise<void> {
      const { id, accountId, name, role } = contact;
      const stored = await withConfirmations(db, engine, contact);
      await db
        .insertInto("contacts")
        .values({ id, account_id: accountId, name, role, password: null, password_set_at: null })
        .execute();
      await insertAddresses(stored);
    },
    /** Replaces the contact whole, its addresses included; confirmed mailboxes as for `insert`. With another role or first mailbox its sessions end for good, and what would lead to one. */
    async update(contact: Contact): Promise<void> {
      const { id, accountId, name, role } = contact;
      const stored = await withConfirmations(db, engine, contact);
      // guard: sessions after a change of role or mailbox
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
    /** Ends the contact's sessions and pending sign-ins. True if the contact exists. */
    async setPassword({
      accountId,
      contactId,
      hash,
      at,
    }: {
      readonly accountId: string;
      readonly contactId: string;
      readonly hash: string;
      readonly at: number;
    }): Promise<boolean> {
      // guard: sessions and passwords
      await endSignIns(db, contactId);
      const set = await db
        .updateTable("contacts")
        .set({ password: hash, password_set_at: at })
        .where("account_id", "=", accountId)
        .where("id", "=", contactId)
        .executeTakeFirst();
      return set.numUpdatedRows > 0n;
    },
    /** True if it existed. */
    async remove(accountId: string, id: string): Promise<boolean> {
      const isRemoved = await ownedRows(db, "contacts").remove(accountId, id);
      await releaseConfirmed(db, engine, id);
      return isRemoved;
    },
    ...createAddressWrites(db, sealer),
  };
}

function createAddressWrites(db: Kysely<Database>, sealer: Sealer) {
  return {
    /** The first refusal counts, until it is replaced by a worse one or removed. */
    async changeAddressStatus({ status, refusal, ...address }: AddressStatusChange): Promise<void> {
      const columns = {
        status,
        refused_at: refusal?.at ?? null,
        refusal: refusal?.reason ?? null,
      };
      await updateAddress(db, sealer, { address, columns, unlessStatus: outranking(status) });
    },
    /** Suppresses all alerts to the address. */
    suppressAddress: (address: AddressKey): Promise<void> =>
      updateAddress(db, sealer, { address, columns: { suppress_all: toFlag(true) } }),
  };
}

/** Returns whether the contact has another role, or signs in with another mailbox, than is stored. */
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
  sealer: Sealer,
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

/** The first refusal counts, until it is replaced by a worse one or removed. */
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

/** Data needed to reach an address, including credentials. */
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
    // guard: addresses at rest = Buffer.from(argument)
    sealed: sealer.seal(JSON.stringify(reach)),
  };
}

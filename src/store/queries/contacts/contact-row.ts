import type { Selectable } from "kysely";

import type { Address, Contact, WebhookRequest } from "../../../domain/contact/contact.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import { destinationOf } from "../../destination.ts";
import { mailboxKeyOf } from "./mailbox-key.ts";
import { muteFromRow, muteToRow, toFlag } from "../columns.ts";
import type { AddressTable, ContactTable } from "./contact-tables.ts";

export function fromRow(
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

export function fromAddressRow(row: Selectable<AddressTable>, sealer: Sealer): Address {
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

export function toAddressRow(
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

import type { Generated } from "kysely";

import type { AddressStatus, Refusal, ContactRole } from "../../domain/contact/contact.ts";
import type { NumericBoolean } from "./columns.ts";

declare module "./database.ts" {
  interface Database {
    readonly contacts: ContactTable;
    readonly addresses: AddressTable;
  }
}

export interface ContactTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly role: ContactRole;
  /** A hash, of a contact that may sign in. */
  readonly password: string | null;
  readonly password_set_at: number | null;
}

export interface AddressTable {
  readonly account_id: string;
  readonly contact_id: string;
  readonly id: string;
  readonly position: number;
  readonly kind: string;
  readonly status: AddressStatus;
  readonly refused_at: number | null;
  readonly refusal: string | null;
  readonly suppress_up: NumericBoolean;
  readonly suppress_down: NumericBoolean;
  readonly suppress_first: NumericBoolean;
  readonly suppress_all: NumericBoolean;
  readonly suppress_diagnostics: NumericBoolean;
  /** 0 is not muted, 1 is for good, any other number is until then. */
  readonly mute: number;
  /** 0 while the owner of a mailbox has not agreed to messages yet. */
  readonly confirmed: NumericBoolean;
  /** A hash, of a mailbox. */
  readonly mailbox: string | null;
  /** Sealed JSON of what it takes to reach the address. */
  readonly sealed: Uint8Array;
  /** Host that receives the messages, as far as known: the kind and a hash of the host. */
  readonly destination: string;
}

export interface SignIn {
  readonly accountId: string;
  readonly contactId: string;
  /** A hash. */
  readonly password: string;
}

/** An address, as long as it leads to where it did: one that was changed since is another. */
export interface AddressKey {
  readonly accountId: string;
  readonly contactId: string;
  readonly addressId: string;
  readonly address: string;
}

/** Status change of an address after an attempt. */
export interface AddressStatusChange extends AddressKey {
  readonly status: AddressStatus;
  readonly refusal: Refusal | undefined;
}

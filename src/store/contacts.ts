import type { Address, AddressStatus, Contact, Refusal } from "../domain/contact/contact.ts";
import type { ContactRef } from "../domain/account/second-factor.ts";
import type { AddressRef } from "../domain/contact/recipients.ts";

export interface ContactReads {
  readonly find: (accountId: string, id: string) => Promise<Contact | undefined>;
  /** One of its addresses: reading all takes as long as what they hold, which may be a hundred bodies of webhooks. */
  readonly findAddress: (accountId: string, address: AddressRef) => Promise<Address | undefined>;
  /** By age. */
  readonly list: (accountId: string) => Promise<readonly Contact[]>;
  /** The addresses that ids of contacts and of addresses stand for, within the account: contacts by age, each with its addresses in their order. */
  readonly findAddresses: (
    accountId: string,
    recipientIds: readonly string[],
  ) => Promise<readonly AddressRef[]>;
  /** Those of the ids that are no contact and no address of the account. */
  readonly missingIds: (
    accountId: string,
    recipientIds: readonly string[],
  ) => Promise<readonly string[]>;
  /** Undefined where the contact never had a password. */
  readonly passwordSetAt: (accountId: string, id: string) => Promise<number | undefined>;
  /** Who may sign in with the mailbox, in any account or in the one that is named: those that have a password and have it as their first mailbox, the oldest first. */
  readonly findSignIns: (wanted: {
    readonly mailbox: string;
    readonly accountId: string | undefined;
    readonly limit: number;
  }) => Promise<readonly SignIn[]>;
  /** Who may sign in with the mailbox once they have a password, in any account, the oldest first. */
  readonly findByMailbox: (mailbox: string, limit: number) => Promise<readonly ContactRef[]>;
  /** Who may sign in with the mailbox, and has agreed to messages there, with or without a password; in any account or in the one that is named, the oldest first. */
  readonly findConfirmedSignIn: (wanted: {
    readonly mailbox: string;
    readonly accountId: string | undefined;
  }) => Promise<ContactRef | undefined>;
  /** The hash of its password. */
  readonly passwordOf: (accountId: string, id: string) => Promise<string | undefined>;
  /** Whether the account has the mailbox as an address that is confirmed. */
  readonly isConfirmed: (accountId: string, mailbox: string) => Promise<boolean>;
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

/** What an attempt showed of an address. */
export interface AddressStatusChange extends AddressKey {
  readonly status: AddressStatus;
  readonly refusal: Refusal | undefined;
}

export interface ContactWrites {
  /** A mailbox that the account has confirmed already is stored as confirmed. */
  readonly insert: (contact: Contact) => Promise<void>;
  /** Replaces the contact whole, its addresses included; confirmed mailboxes as for `insert`. With another role or first mailbox its sessions end for good, and what would lead to one. */
  readonly update: (contact: Contact) => Promise<void>;
  /** The first refusal counts, until there is a worse one or none any more. */
  readonly changeAddressStatus: (change: AddressStatusChange) => Promise<void>;
  /** Suppresses all alerts to the address. */
  readonly suppressAddress: (address: AddressKey) => Promise<void>;
  /** Confirms all addresses of the account that are the mailbox, and lets alerts go on that were held for that; false where none waited for it. */
  readonly confirmMailbox: (accountId: string, mailbox: string) => Promise<boolean>;
  /** Confirms all that wait for it: nobody is asked any more. */
  readonly confirmAll: () => Promise<void>;
  /** Ends its sessions, and what would lead to one. True where there is such a contact. */
  readonly setPassword: (password: {
    readonly accountId: string;
    readonly contactId: string;
    readonly hash: string;
    readonly at: number;
  }) => Promise<boolean>;
  /** True where there was one. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

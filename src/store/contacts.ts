import type { Address, Contact } from "../domain/contact.ts";

/** A contact, or one address of a contact: what an id in a check's notifications stands for. */
export interface ContactAddress {
  readonly contactId: string;
  readonly address: Address;
}

export interface ContactReads {
  readonly find: (accountId: string, id: string) => Promise<Contact | undefined>;
  /** By age. */
  readonly list: (accountId: string) => Promise<readonly Contact[]>;
  /** The addresses that an id of a contact or of an address stands for, within the account; empty where there is none. */
  readonly addressesOf: (
    accountId: string,
    recipientId: string,
  ) => Promise<readonly ContactAddress[]>;
  /** Those of the ids that are no contact and no address of the account. */
  readonly unknown: (
    accountId: string,
    recipientIds: readonly string[],
  ) => Promise<readonly string[]>;
}

export interface ContactWrites {
  readonly insert: (contact: Contact) => Promise<void>;
  /** Replaces the contact whole, its addresses included. */
  readonly update: (contact: Contact) => Promise<void>;
  /** True where there was one. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

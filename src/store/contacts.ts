import type { AddressStatus, Refusal } from "../domain/contact/contact.ts";

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

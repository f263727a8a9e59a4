export const addressKinds = ["email", "webhook"] as const;
export type AddressKind = (typeof addressKinds)[number];

export const contactRoles = ["owner", "edit", "view", "notify"] as const;
export type ContactRole = (typeof contactRoles)[number];

export interface Suppressions {
  readonly up: boolean;
  readonly down: boolean;
  readonly first: boolean;
  readonly all: boolean;
}

export interface Address {
  readonly id: string;
  readonly kind: AddressKind;
  readonly address: string;
  readonly status: string;
  readonly suppress: Suppressions;
}

export interface Contact {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly role: ContactRole;
  readonly addresses: readonly Address[];
}

export const nothingSuppressed: Suppressions = { up: false, down: false, first: false, all: false };

import type { Mute } from "./mute.ts";

export const contactRoles = ["owner", "edit", "view", "notify"] as const;
export type ContactRole = (typeof contactRoles)[number];

export interface Suppressions {
  readonly up: boolean;
  readonly down: boolean;
  readonly first: boolean;
  readonly all: boolean;
  /** Whether diagnostics reports are suppressed. */
  readonly diagnostics: boolean;
}

/** Maximum total characters in headers, query strings, and body. */
export const maxRequestCharacters = 16_384;

/** Custom request of a webhook; its texts may contain variables in braces. */
export interface WebhookRequest {
  /** The method, in the case in which it was sent. */
  readonly action: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly querystrings: Readonly<Record<string, string>> | undefined;
  /** A text is the body as it is; anything else becomes JSON. */
  readonly data: string | readonly unknown[] | Readonly<Record<string, unknown>> | undefined;
}

/** An address that is `refused` is tried again with the next alert; one that is `disabled` is sent nothing until it is enabled again. */
export const addressStatuses = ["new", "refused", "disabled"] as const;
export type AddressStatus = (typeof addressStatuses)[number];

/** How a receiver refused an address for good. */
export interface Refusal {
  readonly at: number;
  /** The receiver's own message. */
  readonly reason: string;
}

export interface Address {
  readonly id: string;
  /** The kind of address, which says through which channel messages go to it. */
  readonly kind: string;
  readonly address: string;
  readonly status: AddressStatus;
  /** Reason for refusal of an existing address. */
  readonly refusal: Refusal | undefined;
  readonly suppress: Suppressions;
  readonly mute: Mute;
  /** False for a mailbox with a pending confirmation, which receives no messages. */
  readonly confirmed: boolean;
  /** Only of a webhook. */
  readonly request: WebhookRequest | undefined;
  /** -2 to 2; only where the kind of address knows urgencies. */
  readonly priority: number | undefined;
}

export interface Contact {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly role: ContactRole;
  readonly addresses: readonly Address[];
}

export const noSuppressions: Suppressions = {
  up: false,
  down: false,
  first: false,
  all: false,
  diagnostics: false,
};

/** Defaults of an address. */
export const addressDefaults = {
  status: "new",
  refusal: undefined,
  suppress: noSuppressions,
  mute: false,
  confirmed: true,
  request: undefined,
  priority: undefined,
} as const satisfies Partial<Address>;

export function isMailbox({ kind }: Pick<Address, "kind">): boolean {
  return kind === "email";
}

/** The mailbox of a contact, which is also its sign-in name: its first address of the kind email. */
export function mailboxOf({ addresses }: Pick<Contact, "addresses">): string | undefined {
  return addresses.find(isMailbox)?.address;
}

import type { components } from "../../api/schema.ts";
import { api, dataOf } from "../../api/api.ts";
import type { Text } from "../../text.ts";

export type Contact = components["schemas"]["Contact"];
export type Address = components["schemas"]["Address"];
export type AddressKind = Address["type"];
export type Role = Contact["custrole"];

type Changes = NonNullable<components["schemas"]["PutContacts"]>;
/** An address as a change sends it. */
type Entry = NonNullable<Changes["newaddresses"]>[number];
type Action = NonNullable<Entry["action"]>;

export const actions: readonly Action[] = ["post", "get", "put", "head", "delete"];

/** In the order in which they are offered. */
export const addressKinds: readonly AddressKind[] = [
  "email",
  "sms",
  "voice",
  "webhook",
  "slack",
  "pagerduty",
  "pushover",
  "twitter",
];

export const roles: readonly Role[] = ["notify", "view", "edit", "owner"];

/** A kind of address in words; as it is where there are none for it. */
export function addressKindText(kind: string, text: Text): string {
  const known = addressKinds.find((each) => each === kind);
  return known === undefined ? kind : text(`contacts.kind.${known}`);
}

/** The contacts of the account, by name. */
export async function loadContacts(): Promise<readonly Contact[]> {
  const all: readonly Contact[] = Object.values(await dataOf(api.GET("/contacts")));
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Where a contact is searched: its name, and its addresses. */
export function wordsOf(contact: Contact): string {
  return [contact.name, ...addressesOf(contact).map(([, { address }]) => address)].join(" ");
}

export function addressesOf({ addresses = {} }: Contact): readonly (readonly [string, Address])[] {
  return Object.entries(addresses);
}

/** What of an address a change sends. */
export interface AddressInput {
  readonly type: AddressKind;
  readonly address: string;
  readonly suppressup: boolean;
  readonly suppressdown: boolean;
  readonly suppressfirst: boolean;
  readonly suppressdiag: boolean;
  readonly suppressall: boolean;
  readonly mute: boolean | number;
  readonly action?: Action;
  readonly headers?: string;
  readonly querystrings?: string;
  readonly data?: string;
  readonly priority?: string;
}

export const newAddress: AddressInput = {
  type: "email",
  address: "",
  suppressup: false,
  suppressdown: false,
  suppressfirst: false,
  suppressdiag: false,
  suppressall: false,
  mute: false,
};

/** An address as its form shows it. */
export function inputOf(address: Address): AddressInput {
  const { headers, querystrings, data, action, priority } = address;
  return {
    type: address.type,
    address: address.address,
    suppressup: address.suppressup ?? false,
    suppressdown: address.suppressdown ?? false,
    suppressfirst: address.suppressfirst ?? false,
    suppressdiag: address.suppressdiag ?? false,
    suppressall: address.suppressall ?? false,
    mute: address.mute ?? false,
    ...(action !== undefined && { action: actionOf(action) }),
    ...(headers !== undefined && { headers: JSON.stringify(headers) }),
    ...(querystrings !== undefined && { querystrings: JSON.stringify(querystrings) }),
    ...(data !== undefined && {
      data: typeof data === "string" ? data : JSON.stringify(data, null, 2),
    }),
    ...(priority !== undefined && { priority: String(priority) }),
  };
}

function actionOf(sent: string): Action {
  return actions.find((action) => action === sent.toLowerCase()) ?? "post";
}

/** The members that a kind of address has, as the API takes them: an empty text removes headers and parameters. */
export function wireOf(input: AddressInput): Entry {
  const { type, address, action, headers, querystrings, data, priority, ...switches } = input;
  return {
    address: address.trim(),
    ...switches,
    ...(type === "webhook" && {
      ...(action !== undefined && { action }),
      ...(headers !== undefined && { headers: headers.trim() === "" ? {} : headers }),
      ...(querystrings !== undefined && {
        querystrings: querystrings.trim() === "" ? {} : querystrings,
      }),
      ...(data !== undefined && data.trim() !== "" && { data }),
    }),
    ...(type === "pushover" && priority !== undefined && priority !== "" && { priority }),
  };
}

/** All addresses of a contact as a change sends them: those that are not in it would be removed. */
export function addressesWith(
  contact: Contact,
  change: Readonly<Record<string, Partial<Entry> | { readonly status: "new" } | undefined>>,
): NonNullable<Changes["addresses"]> {
  const all = addressesOf(contact).map(([id]) => [id, id in change ? change[id] : {}] as const);
  return Object.fromEntries(
    all.flatMap(([id, entry]) => (entry === undefined ? [] : [[id, entry] as const])),
  );
}

/** Addresses that are no secret; the others are URLs and keys with which anybody can send. */
const plainKinds: ReadonlySet<AddressKind> = new Set(["email", "sms", "voice"]);

/** The names of what of an address may be, or have in it, a secret. */
export function secretsOf({ type }: AddressInput): readonly (keyof AddressInput)[] {
  return ["headers", "querystrings", "data", ...(plainKinds.has(type) ? [] : ["address" as const])];
}

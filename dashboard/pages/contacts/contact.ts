import type { components } from "../../api/schema.ts";
import { api, dataOf } from "../../api/api.ts";
import type { Text } from "../../text.ts";

export type Contact = components["schemas"]["Contact"];
export type Address = components["schemas"]["Address"];
export type AddressKind = Address["type"];
export type Role = Contact["custrole"];

type Written = components["schemas"]["WrittenContact"];
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

/** Returns the service of an address, otherwise its kind in words, or the kind itself. */
export function receiverText(
  { kind, service }: { readonly kind: string; readonly service?: string | undefined },
  text: Text,
): string {
  if (service !== undefined) return service;
  const known = addressKinds.find((each) => each === kind);
  return known === undefined ? kind : text(`contacts.kind.${known}`);
}

/** The contacts of the account, by name. */
export async function loadContacts(): Promise<readonly Contact[]> {
  const all: readonly Contact[] = Object.values(await dataOf(api.GET("/contacts")));
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Returns the searchable text of a contact: its name, and its addresses. */
export function wordsOf(contact: Contact): string {
  return [contact.name, ...addressesOf(contact).map(([, address]) => addressWords(address))].join(
    " ",
  );
}

/** Returns the settings that distinguish an address from others of its service, without credentials. */
export function settingWords({ settings }: Pick<Address, "settings">): string {
  return Object.values(settings ?? {})
    .filter((value) => value !== null)
    .join(", ");
}

/** An address without its credentials: those of services have them in their URLs. */
export function addressWords(address: Pick<Address, "service" | "settings" | "address">): string {
  const { service } = address;
  return service === undefined ? address.address : `${service} ${settingWords(address)}`.trim();
}

export function addressesOf({ addresses = {} }: Contact): readonly (readonly [string, Address])[] {
  return Object.entries(addresses);
}

/** Parts of an address sent by a change. */
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
  /** The service that it leads to, where it is a known one. */
  readonly service?: NonNullable<Address["service"]>;
  /** Entered settings and stored ones; undefined if the stored address is entered as a whole. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly stored?: NonNullable<Address["settings"]>;
  /** The stored credentials that are removed. */
  readonly removed?: readonly string[];
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
  const { headers, querystrings, data, action, priority, service, settings } = address;
  return {
    type: address.type,
    // A URL of a service is a credential, which is not shown again.
    address: service === undefined ? address.address : "",
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
    ...(service !== undefined && { service }),
    ...(settings !== undefined && { settings: shownSettings(settings), stored: settings }),
  };
}

function actionOf(sent: string): Action {
  return actions.find((action) => action === sent.toLowerCase()) ?? "post";
}

function shownSettings(
  settings: NonNullable<Address["settings"]>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? ""]));
}

/** Returns the settings to send: of stored ones only the changed ones, so that credentials are kept. */
function sentSettings({ service, settings, stored, removed = [] }: AddressInput): Partial<Entry> {
  if (service === undefined || settings === undefined) return {};
  const changed = Object.entries(settings).filter(([name, value]) =>
    stored === undefined ? value !== "" : value !== (stored[name] ?? "") || removed.includes(name),
  );
  return changed.length === 0 && stored !== undefined
    ? {}
    : { ...(stored === undefined && { service }), settings: Object.fromEntries(changed) };
}

/** Returns whether something was entered that leads somewhere. */
export function isEntered({ address, service }: AddressInput): boolean {
  return service !== undefined || address.trim() !== "";
}

/** The members that a kind of address has, as the API takes them: an empty text removes headers and parameters. */
export function toBody(input: AddressInput): Entry {
  const { type, address, action, headers, querystrings, data, priority, ...rest } = input;
  const { service, settings: _, stored: __, removed: ___, ...switches } = rest;
  return {
    ...(service === undefined || address.trim() !== "" ? { address: address.trim() } : {}),
    ...sentSettings(input),
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

/** Changes a contact. */
export function changeContact({ _id: id }: Pick<Contact, "_id">, body: Changes): Promise<Written> {
  return dataOf(api.PUT("/contacts/{id}", { params: { path: { id } }, body }));
}

/** Addresses that are no secret; the others are URLs and keys with which anybody can send. */
const plainKinds: ReadonlySet<AddressKind> = new Set(["email", "sms", "voice"]);

/** Returns whether something was entered that may be, or have in it, a secret. */
export function hasSecret(address: AddressInput): boolean {
  const { type, headers = "", querystrings = "", data = "", settings = {} } = address;
  const texts = [headers, querystrings, data, ...Object.values(settings)];
  return [...texts, ...(plainKinds.has(type) ? [] : [address.address])].some((text) => text !== "");
}

import { addressWith, parseServiceName } from "../../channels/service-settings.ts";
import { InvalidInput } from "../../kit/errors.ts";
import { isRecord } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import type { AddressEntries, Configuration } from "./document.ts";
import { findAddresses } from "./address-keys.ts";
import type { DeclaredAccount } from "./declaration.ts";
import { inside } from "./declare.ts";
import type { Faults } from "./source/faults.ts";
import type { SourceLocation } from "./source/source-location.ts";
import { recordKey, type Found } from "./find-records.ts";
import { addressMembers } from "./shapes.ts";
import { validateMember } from "./validate.ts";
import { textOf } from "./text-of.ts";

interface Deps {
  readonly current: Pick<Configuration, "contacts">;
  readonly found: Pick<Found, "contacts">;
  readonly faults: Faults;
}

export interface DeclaredAddresses {
  /** Entries by the IDs that the addresses have or will get. */
  readonly entries: AddressEntries;
  /** IDs by key. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Returns addresses by the contact's key; none if the files do not mention its addresses. */
export function addressesOf(
  { sections }: DeclaredAccount,
  { current, found, faults }: Deps,
): ReadonlyMap<string, DeclaredAddresses> {
  const all = new Map<string, DeclaredAddresses>();
  for (const { key, values, place } of sections.contacts.values()) {
    if (values.addresses === undefined) continue;
    const declared = entriesOf(values.addresses, inside(place, "addresses"), faults);
    const known = current.contacts[found.contacts.get(key) ?? ""]?.addresses ?? {};
    const pairs = findAddresses(declared, known);
    const ids = new Map(
      Object.keys(declared).map((each) => [
        each,
        pairs.get(each) ?? `${recordKey("contacts", key)}/${each}`,
      ]),
    );
    const entries = Object.entries(declared).map(([each, entry]) => [ids.get(each), entry]);
    all.set(key, { entries: Object.fromEntries(entries), ids });
  }
  return all;
}

/** Addresses by key. In a list their keys are their types, with a number from the second on. */
function entriesOf(value: unknown, place: SourceLocation, faults: Faults): AddressEntries {
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) {
    faults.add(place, "must be a list of addresses, or an object of keys to addresses");
    return {};
  }
  const entries: Record<string, AddressEntries[string]> = {};
  const counts = new Map<string, number>();
  for (const [part, given] of Object.entries(value)) {
    const at = inside(place, isList ? Number(part) : part);
    const entry = typeof given === "string" ? { address: given } : given;
    if (!isRecord(entry)) {
      faults.add(at, "must be a mailbox, or an object of type and address");
      continue;
    }
    for (const [name, each] of Object.entries(entry))
      validateMember({ place: inside(at, name), name, value: each }, addressMembers, faults);
    const { service, settings: _, ...members } = entry;
    const address = service === undefined ? entry.address : serviceAddress(entry, at, faults);
    if (address === undefined) faults.add(at, "address: required");
    const usual = service === undefined ? "email" : "webhook";
    const type = typeof entry.type === "string" ? entry.type.trim().toLowerCase() : usual;
    if (service !== undefined && type !== "webhook")
      faults.add(
        inside(at, "service"),
        "only addresses of type webhook have settings of a service",
      );
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    const key = isList ? (count === 1 ? type : `${type}-${count}`) : part;
    entries[key] = { ...members, type, address: textOf(address) };
  }
  return entries;
}

/** The address that the settings of a service make; an empty text with a fault where they make none. */
function serviceAddress(
  { service, settings, address }: JsonObject,
  at: SourceLocation,
  faults: Faults,
): string {
  try {
    const name = parseServiceName(textOf(service));
    if (name === undefined || (settings !== undefined && !isRecord(settings))) return "";
    const values = Object.entries(settings ?? {}).map(([each, value]) => [each, textOf(value)]);
    return addressWith(
      name,
      Object.fromEntries(values),
      address === undefined ? undefined : textOf(address),
    );
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    faults.add(at, error.message);
    return "";
  }
}

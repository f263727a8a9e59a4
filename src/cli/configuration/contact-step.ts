import { isDeepStrictEqual } from "node:util";

import { addressEntry, plainAddressEntry } from "../../api/resources/contacts/input.ts";
import { parseInput } from "../../schema/parse-input.ts";
import type { JsonObject } from "../api-client.ts";
import type { AddressEntries, ContactEntry } from "./document.ts";
import { matchAddresses } from "./match.ts";
import type { RecordVersions } from "./section.ts";
import { changeStep, createStep, type RecordName, type ConfigurationStep } from "./step.ts";

/** The roles with which a new contact is mailed a password; a contact that is given one later is not. */
const signIn: ReadonlySet<string> = new Set(["edit", "view"]);

export function contactStep(
  record: RecordName,
  { wanted, current }: RecordVersions<ContactEntry>,
  { prune }: { readonly prune: boolean },
): ConfigurationStep {
  const { name, custrole, addresses = {} } = wanted;
  if (current === undefined) return { ...newContactStep(record, wanted), addresses };
  const changes: JsonObject = {
    ...(name !== current.name && { name }),
    ...(custrole !== current.custrole && { custrole }),
    ...changedAddresses(addresses, current.addresses ?? {}, prune),
  };
  return { ...changeStep(record, changes), addresses };
}

function newContactStep(
  record: RecordName,
  { name, custrole, addresses = {} }: ContactEntry,
): ConfigurationStep {
  const newaddresses = Object.values(addresses).map(read);
  const isSigningIn = signIn.has(custrole);
  const step = createStep(record, {
    name,
    custrole: isSigningIn ? "notify" : custrole,
    ...(newaddresses.length > 0 && { newaddresses }),
  });
  const promotion = { verb: "PUT", parameters: { id: record.id, custrole } } as const;
  return { ...step, calls: [...step.calls, ...(isSigningIn ? [promotion] : [])] };
}

/** Sends all addresses if one changes, because the API removes missing ones. */
function changedAddresses(
  wanted: AddressEntries,
  current: AddressEntries,
  prune: boolean,
): JsonObject {
  const pairs = matchAddresses(wanted, current);
  const added = Object.keys(wanted).filter((id) => !pairs.has(id));
  const changes = new Map(
    [...pairs].map(([from, to]) => [to, addressChanges(wanted[from], current[to])]),
  );
  // The API does not remove the last address of a contact.
  const mayLeave = prune && pairs.size + added.length > 0;
  const kept = Object.keys(current).filter((id) => changes.has(id) || !mayLeave);
  const isChanged =
    kept.length < Object.keys(current).length ||
    [...changes.values()].some((entry) => Object.keys(entry).length > 0);
  return {
    ...(isChanged && {
      addresses: Object.fromEntries(kept.map((id) => [id, changes.get(id) ?? {}])),
    }),
    ...(added.length > 0 && { newaddresses: added.map((id) => read(wanted[id])) }),
  };
}

/** The defaults of an address. */
export const addressDefaults: JsonObject = {
  suppressup: false,
  suppressdown: false,
  suppressfirst: false,
  suppressdiag: false,
  suppressall: false,
  mute: false,
  action: "post",
  headers: {},
  querystrings: {},
};

function addressChanges(
  wanted: JsonObject | undefined,
  current: JsonObject | undefined,
): JsonObject {
  const target: JsonObject = { ...addressDefaults, ...read(wanted) };
  const known: JsonObject = { ...addressDefaults, ...read(current) };
  const changed = Object.keys(addressEntry.shape).filter(
    (name) => target[name] !== undefined && !isDeepStrictEqual(target[name], known[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, target[name]]));
}

/** The members of an address, parsed as the API parses them. */
function read(entry: JsonObject = {}): JsonObject {
  const { address, ...rest } = parseInput(plainAddressEntry, entry);
  const values = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { address: address.trim(), ...Object.fromEntries(values) };
}

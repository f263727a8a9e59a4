import type { AddressEntries } from "./document.ts";
import { matchAddresses } from "./match.ts";

/** The addresses of a contact under keys that do not disclose what they are: the type, and a number from the second of it on. */
export function addressKeys(
  addresses: AddressEntries,
): readonly (readonly [key: string, id: string, entry: AddressEntries[string]])[] {
  const counts = new Map<string, number>();
  return Object.entries(addresses).map(([id, entry]) => {
    const count = (counts.get(entry.type) ?? 0) + 1;
    counts.set(entry.type, count);
    return [count === 1 ? entry.type : `${entry.type}-${count}`, id, entry];
  });
}

/** The ids of declared addresses that the contact has already: by type and address, otherwise by key and type. */
export function findAddresses(
  declared: AddressEntries,
  current: AddressEntries,
): ReadonlyMap<string, string> {
  const pairs = new Map(matchAddresses(declared, current));
  const taken = new Set(pairs.values());
  for (const [key, id, { type }] of addressKeys(current))
    if (!taken.has(id) && !pairs.has(key) && declared[key]?.type === type) pairs.set(key, id);
  return pairs;
}

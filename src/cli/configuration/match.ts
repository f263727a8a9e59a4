import type { AddressEntries } from "./document.ts";

/** Maps ids of a document to ids of an account. */
export type Matches = ReadonlyMap<string, string>;

interface Sides<Entry> {
  readonly wanted: Readonly<Record<string, Entry>>;
  readonly current: Readonly<Record<string, Entry>>;
}

/** Matches the records of a document with those of an account: by id, otherwise by key, the nth with the nth of the same key. */
export function matchRecords<Entry>(
  { wanted, current }: Sides<Entry>,
  keyOf: (entry: Entry, id: string) => string,
  mayBe: (one: Entry, other: Entry) => boolean = () => true,
): Matches {
  const pairs = new Map<string, string>();
  for (const [id, entry] of Object.entries(wanted)) {
    const known = Object.hasOwn(current, id) ? current[id] : undefined;
    if (known !== undefined && mayBe(entry, known)) pairs.set(id, id);
  }
  const left = Map.groupBy(
    Object.entries(current).filter(([id]) => !pairs.has(id)),
    ([id, entry]) => keyOf(entry, id),
  );
  for (const [id, entry] of Object.entries(wanted)) {
    const found = pairs.has(id) ? undefined : left.get(keyOf(entry, id))?.shift();
    if (found !== undefined) pairs.set(id, found[0]);
  }
  return pairs;
}

export function matchAddresses(wanted: AddressEntries, current: AddressEntries): Matches {
  return matchRecords(
    { wanted, current },
    ({ type, address }) => `${type} ${address.trim()}`,
    // The kind of an address cannot be changed.
    (one, other) => one.type === other.type,
  );
}

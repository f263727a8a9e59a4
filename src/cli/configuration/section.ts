import { named } from "./named.ts";
import { pair } from "./pair.ts";
import type { Pairs } from "./pair.ts";
import { pruneStep } from "./step.ts";
import type { Kind, Named, Step } from "./step.ts";

/** The records of one kind, as a document has them and as an account does. */
export interface Section<Entry> {
  readonly kind: Kind;
  readonly wanted: Readonly<Record<string, Entry>>;
  readonly current: Readonly<Record<string, Entry>>;
  readonly pairs: Pairs;
  readonly nameOf: (entry: Entry, id: string) => string;
}

export interface Sides<Entry> {
  readonly wanted: Entry;
  /** Undefined where it is still to be made. */
  readonly current: Entry | undefined;
}

/** Records without a key of their own are told apart by their names. */
export function section<Entry>({
  keyOf,
  ...given
}: Omit<Section<Entry>, "pairs"> & {
  readonly keyOf?: (entry: Entry, id: string) => string;
}): Section<Entry> {
  return { ...given, pairs: pair(given, keyOf ?? given.nameOf) };
}

/** One step for each record of the document; what is refused is refused by name. */
export function stepsOf<Entry>(
  { kind, wanted, current, pairs, nameOf }: Section<Entry>,
  make: (record: Named, sides: Sides<Entry>) => Step,
): readonly Step[] {
  return Object.entries(wanted).map(([id, entry]) => {
    const record = { kind, id, name: nameOf(entry, id) };
    const to = pairs.get(id);
    const sides = { wanted: entry, current: to === undefined ? undefined : current[to] };
    return named(record, () => make(record, sides));
  });
}

/** What the document does not have. */
export function prunesOf<Entry>({ kind, current, pairs, nameOf }: Section<Entry>): readonly Step[] {
  const paired = new Set(pairs.values());
  return Object.entries(current)
    .filter(([id]) => !paired.has(id))
    .map(([id, entry]) => pruneStep({ kind, id, name: nameOf(entry, id) }));
}

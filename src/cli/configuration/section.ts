import { withRecordName } from "./record-error.ts";
import { matchRecords, type Matches } from "./match.ts";
import { pruneStep, type Kind, type RecordName, type ConfigurationStep } from "./step.ts";

/** The records of one kind: in the document, and in the account. */
export interface Section<Entry> {
  readonly kind: Kind;
  readonly wanted: Readonly<Record<string, Entry>>;
  readonly current: Readonly<Record<string, Entry>>;
  readonly matches: Matches;
  readonly nameOf: (entry: Entry, id: string) => string;
}

export interface RecordVersions<Entry> {
  readonly wanted: Entry;
  /** Undefined if it does not exist yet. */
  readonly current: Entry | undefined;
}

/** Matches the records by their key; by default that is the name. */
export function matchSection<Entry>({
  keyOf,
  ...given
}: Omit<Section<Entry>, "matches"> & {
  readonly keyOf?: (entry: Entry, id: string) => string;
}): Section<Entry> {
  return { ...given, matches: matchRecords(given, keyOf ?? given.nameOf) };
}

/** Makes one step for each record of the document. An error names its record. */
export function stepsOf<Entry>(
  { kind, wanted, current, matches, nameOf }: Section<Entry>,
  make: (record: RecordName, sides: RecordVersions<Entry>) => ConfigurationStep,
): readonly ConfigurationStep[] {
  return Object.entries(wanted).map(([id, entry]) => {
    const record = { kind, id, name: nameOf(entry, id) };
    const to = matches.get(id);
    const sides = { wanted: entry, current: to === undefined ? undefined : current[to] };
    return withRecordName(record, () => make(record, sides));
  });
}

/** Makes a step for each record that the document does not contain. */
export function pruneSteps<Entry>({
  kind,
  current,
  matches,
  nameOf,
}: Section<Entry>): readonly ConfigurationStep[] {
  const paired = new Set(matches.values());
  return Object.entries(current)
    .filter(([id]) => !paired.has(id))
    .map(([id, entry]) => pruneStep({ kind, id, name: nameOf(entry, id) }));
}

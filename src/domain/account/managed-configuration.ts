/** Records applied from configuration files, under their names in the files. */
export interface ManagedConfiguration {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Records by section and key in the files, such as `checks/web`. */
  readonly records: ManagedRecords;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export type ManagedRecords = Readonly<Record<string, ManagedRecord>>;

export interface ManagedRecord {
  readonly id: string;
  /** Digest of the record's text in the files when it was applied. */
  readonly digest: string;
}

/** Identity of a managed configuration and its number of records. */
export type ConfigurationSummary = Omit<ManagedConfiguration, "records"> & {
  readonly size: number;
};

/** Returns the records after a change, ordered by key. Null marks a record that is no longer managed. */
export function changedRecords(
  known: ManagedRecords,
  changes: Readonly<Record<string, ManagedRecord | null>>,
): ManagedRecords {
  const merged = new Map<string, ManagedRecord>(Object.entries(known));
  for (const [key, record] of Object.entries(changes))
    if (record === null) merged.delete(key);
    else merged.set(key, record);
  return Object.fromEntries(
    [...merged].toSorted(([one], [other]) => (one < other ? -1 : Number(one > other))),
  );
}

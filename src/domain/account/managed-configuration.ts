/** What was applied of a configuration that is kept as files, under the names that it has there. */
export interface ManagedConfiguration {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** By the section and the key in the files, such as `checks/web`. */
  readonly records: ManagedRecords;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export type ManagedRecords = Readonly<Record<string, ManagedRecord>>;

export interface ManagedRecord {
  readonly id: string;
  /** Of what the files said of it when it was applied. */
  readonly digest: string;
}

/** Which configuration it is, and how many records it has. */
export type ConfigurationSummary = Omit<ManagedConfiguration, "records"> & {
  readonly size: number;
};

/** The records after a change, in which null stands for one that is managed no more; in the order of their keys. */
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

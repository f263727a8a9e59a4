/** By field a digest of what it was there and one of what it was here, when it was imported. */
export type ImportedFields = Readonly<Record<string, readonly [there: string, here: string]>>;

/** Which record of another system a record of an account was. */
export interface ImportedRecord {
  readonly accountId: string;
  /** The system, and which installation of it where there are several. */
  readonly origin: string;
  readonly kind: "check" | "contact" | "maintenance" | "statuspage";
  readonly originId: string;
  readonly recordId: string;
  /** Undefined where that is not known. */
  readonly fields?: ImportedFields | undefined;
}

export interface ImportedRecordReads {
  readonly list: (accountId: string, origin: string) => Promise<readonly ImportedRecord[]>;
  readonly count: (accountId: string) => Promise<number>;
}

export interface ImportedRecordWrites {
  /** Replaces what is known of that record of the other system. */
  readonly put: (record: ImportedRecord) => Promise<void>;
}

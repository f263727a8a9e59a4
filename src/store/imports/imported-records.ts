/** Which record of another system a record of an account was. */
export interface ImportedRecord {
  readonly accountId: string;
  /** The system, and which installation of it where there are several. */
  readonly origin: string;
  readonly kind: "check" | "contact" | "maintenance" | "statuspage";
  readonly originId: string;
  readonly recordId: string;
}

export interface ImportedRecordReads {
  readonly list: (accountId: string, origin: string) => Promise<readonly ImportedRecord[]>;
  readonly count: (accountId: string) => Promise<number>;
}

export interface ImportedRecordWrites {
  /** Replaces what is known of that record of the other system. */
  readonly put: (record: ImportedRecord) => Promise<void>;
}

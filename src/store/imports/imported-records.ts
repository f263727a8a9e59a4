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

import type { Actor } from "../../domain/account/actor.ts";
import type { AuditEntry, StoredAuditEntry } from "../../domain/account/audit.ts";

export interface AuditReads {
  /** The newest first, before a number where it is given. */
  readonly list: (wanted: {
    readonly accountId: string;
    readonly before: number | undefined;
    readonly limit: number;
    /** Only what was done by these; `operator` is the command line. */
    readonly by?: Actor["kind"] | "operator" | undefined;
    /** Only what was done to this kind of record, the last word of the operation. */
    readonly resource?: string | undefined;
    readonly recordId?: string | undefined;
  }) => Promise<readonly StoredAuditEntry[]>;
}

export interface AuditWrites {
  /** Of an account the newest 10,000 are kept. */
  readonly insert: (entry: AuditEntry) => Promise<void>;
  /** Adds one to the count of the last such entry about the record, where it was made after `since`; otherwise inserts one. Its field says how often it happened, and its client is the last one. */
  readonly count: (entry: Omit<AuditEntry, "fields">, since: number) => Promise<void>;
}

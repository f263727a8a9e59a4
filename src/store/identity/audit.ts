import type { AuditEntry, StoredAuditEntry } from "../../domain/account/audit.ts";

export interface AuditReads {
  /** The newest first, before a number where it is given. */
  readonly list: (wanted: {
    readonly accountId: string;
    readonly before: number | undefined;
    readonly limit: number;
  }) => Promise<readonly StoredAuditEntry[]>;
}

export interface AuditWrites {
  /** Of an account the newest 10,000 are kept. */
  readonly insert: (entry: AuditEntry) => Promise<void>;
}

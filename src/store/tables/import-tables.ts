import type { AliasSystem } from "../../domain/heartbeat/heartbeat-alias.ts";
import type { ImportedSpan } from "../../domain/imported-history.ts";
import type { ImportedRecord } from "../imports/imported-records.ts";

/** What is known of the systems that an account has moved here from. */
export interface ImportTables {
  readonly heartbeat_aliases: HeartbeatAliasTable;
  readonly imported_histories: ImportedHistoryTable;
  readonly imported_spans: ImportedSpanTable;
  readonly imported_records: ImportedRecordTable;
}

export interface HeartbeatAliasTable {
  readonly digest: string;
  readonly account_id: string;
  readonly check_no: number;
  readonly system: AliasSystem;
  readonly hint: string;
  readonly created_at: number;
}

export interface ImportedRecordTable {
  readonly account_id: string;
  readonly origin: string;
  readonly kind: ImportedRecord["kind"];
  readonly origin_id: string;
  readonly record_id: string;
  /** JSON. */
  readonly fields: string | null;
}

export interface ImportedHistoryTable {
  readonly check_no: number;
  readonly account_id: string;
  readonly origin: string;
  readonly start_at: number;
  readonly end_at: number;
  readonly spans: number;
  readonly created_at: number;
}

export interface ImportedSpanTable {
  readonly check_no: number;
  readonly kind: ImportedSpan["kind"];
  readonly start_at: number;
  readonly end_at: number;
  readonly message: string;
}

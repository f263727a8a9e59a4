import type { AliasSystem } from "../../../domain/heartbeat/heartbeat-alias.ts";
import type { ImportedRecord } from "../../imports/imported-records.ts";

/** What is known of the systems that an account has moved here from. */
export interface ImportTables {
  readonly heartbeat_aliases: HeartbeatAliasTable;
  readonly imported_records: ImportedRecordTable;
}

export interface HeartbeatAliasTable {
  readonly digest: string;
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
}

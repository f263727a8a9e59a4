import type { Database } from "../tables/database.ts";

/** Tables copied row by row, so that referenced rows come first; each with the columns that order its rows. */
export const copiedTables: readonly CopiedTable[] = [
  // An account comes before its subaccounts.
  { table: "accounts", key: ["parent_id", "id"] },
  { table: "account_switches", key: ["account_id"] },
  { table: "tokens", key: ["digest"] },
  { table: "audit_log", key: ["seq"] },
  { table: "contacts", key: ["seq"] },
  { table: "sessions", key: ["digest"] },
  { table: "sign_in_links", key: ["digest"] },
  { table: "totp_factors", key: ["contact_id"] },
  { table: "passkeys", key: ["id"] },
  { table: "recovery_codes", key: ["contact_id", "digest"] },
  { table: "pending_sign_ins", key: ["digest"] },
  { table: "addresses", key: ["contact_id", "id"] },
  { table: "contact_groups", key: ["seq"] },
  { table: "profiles", key: ["seq"] },
  { table: "schedules", key: ["account_id", "name"] },
  { table: "configurations", key: ["seq"] },
  { table: "system_mails", key: ["seq"] },
  { table: "unasked_mails", key: ["seq"] },
  { table: "alert_mails", key: ["mailbox"] },
  { table: "locations", key: ["code"] },
  { table: "checks", key: ["no"] },
  { table: "check_revisions", key: ["check_no", "revision"] },
  { table: "check_states", key: ["check_no"] },
  { table: "removed_checks", key: ["check_no"] },
  { table: "spans", key: ["seq"] },
  { table: "gaps", key: ["seq"] },
  { table: "flips", key: ["id"] },
  { table: "evidence", key: ["check_no", "started_at"] },
  { table: "started_runs", key: ["check_no", "run_id"] },
  { table: "heartbeat_aliases", key: ["digest", "account_id"] },
  { table: "imported_records", key: ["account_id", "origin", "kind", "origin_id"] },
  { table: "imported_histories", key: ["check_no"] },
  { table: "imported_spans", key: ["check_no", "kind", "start_at"] },
  { table: "certificates", key: ["check_no", "observed_at"] },
  { table: "maintenances", key: ["seq"] },
  { table: "maintenance_checks", key: ["check_no", "maintenance_seq"] },
  { table: "status_pages", key: ["seq"] },
  { table: "status_page_names", key: ["kind", "name"] },
  { table: "status_page_outages", key: ["page_id", "check_id"] },
  { table: "incidents", key: ["seq"] },
  { table: "page_subscribers", key: ["seq"] },
  { table: "page_posts", key: ["id"] },
  { table: "page_messages", key: ["seq"] },
  { table: "diagnostics", key: ["seq"] },
  { table: "notices", key: ["id"] },
  // In the original order, because the triggers find the first of each address.
  { table: "alerts", key: ["seq"] },
  { table: "bundles", key: ["id"] },
  { table: "recent_sends", key: ["contact_id", "address_id"] },
  { table: "deliveries", key: ["seq"] },
  { table: "packed_days", key: ["check_no", "day"] },
  { table: "hourly_summaries", key: ["check_no", "day"] },
  { table: "daily_summaries", key: ["check_no", "day"] },
  { table: "service_days", key: ["day"] },
  { table: "rejected_results", key: ["seq"] },
];

export interface CopiedTable {
  readonly table: keyof Database;
  readonly key: readonly string[];
}

/** Tables that are rebuilt in a copy, and why. */
export const rebuiltTables: Readonly<Record<string, string>> = {
  account_usage: "the triggers count what is inserted",
  changes: "no process has read anything of a copy that could have changed since",
  meta: "it is about one database; but for the keys that are copied",
  migrations: "a database has its own",
};

/** Columns maintained by triggers or specific to one database, such as which of its results are also packed. */
export const rebuiltColumns: ReadonlySet<string> = new Set([
  "is_first",
  "partition",
  "partition_rows",
]);

/** Last time that alerts were sent: the time until the copy runs does not count as time for retries. */
export const copiedMeta: readonly string[] = ["alerts_alive_at"];

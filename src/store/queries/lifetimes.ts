import type { Database } from "./tables.ts";

type Table = keyof Database;

/** How the rows of a table end. */
export type Lifetime =
  | {
      /** Purged with a deleted account, by `account_id`. */
      readonly account?: true;
      /** Purged with a removed check, by `check_no`. */
      readonly check?: true;
      /** Purged once this column is so old. */
      readonly age?: { readonly column: string; readonly keptMs: number };
    }
  /** Deleted by the database with the row of this table that it refers to. */
  | { readonly with: Table }
  /** Purged by a rule of its own, which is this sentence. */
  | { readonly rule: string };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A month of minutes and one more day, so that the longest month is whole. */
export const RESULTS_KEPT_MS = 31 * DAY_MS;

/** Every table of the store, so that none is forgotten when an account, a check or time ends its rows. */
export const lifetimes: Readonly<Record<Table, Lifetime>> = {
  accounts: { rule: "last of all, once the account has no check" },
  addresses: { with: "contacts" },
  alerts: { account: true },
  bundles: { account: true },
  certificates: { check: true },
  changes: { age: { column: "at", keptMs: HOUR_MS } },
  check_revisions: { with: "checks" },
  check_states: { with: "checks" },
  checks: { rule: "once all rows by its number are purged" },
  contact_groups: { account: true },
  contacts: { account: true },
  deliveries: { with: "alerts" },
  diagnostics: { account: true, check: true },
  evidence: { check: true, age: { column: "started_at", keptMs: RESULTS_KEPT_MS } },
  flips: { check: true },
  gaps: { check: true },
  maintenance_checks: { with: "checks" },
  maintenances: { account: true },
  meta: { rule: "belongs to the installation" },
  profiles: { account: true },
  recent_sends: { with: "contacts" },
  removed_checks: { rule: "once all rows by its number are purged" },
  schedules: { account: true },
  spans: { check: true },
  system_mails: { with: "contacts" },
  tokens: { with: "accounts" },
};

/** Tables of a database that nothing would ever purge. */
export function tablesWithoutLifetime(tables: readonly string[]): readonly string[] {
  return tables.filter((table) => !Object.hasOwn(lifetimes, table));
}

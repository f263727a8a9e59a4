import { RESULTS_KEPT_DAYS } from "../retention.ts";
import type { Database } from "../tables/database.ts";

type Table = keyof Database;

/** How the rows of a table end. */
export interface Lifetime {
  /** Description of the rows, for the documentation. */
  readonly holds: string;
  /** Purged with a deleted account, by `account_id`. */
  readonly account?: true;
  /** Purged with a removed check, by `check_no`. */
  readonly check?: true;
  readonly age?: RowAge;
  /** Deleted by the database with the row of this table that they refer to: few rows each. */
  readonly with?: Table;
  /** Purged by a rule of their own, which is this sentence. */
  readonly rule?: string;
}

/** Purged once they have been kept long enough. */
export interface RowAge {
  /** An SQL expression with an index, from which it counts. */
  readonly since: string;
  /** Kept as long as results, as the history people look back at, or as summaries of the kind. */
  readonly kept: "results" | "history" | "hourly" | "daily";
  /** An SQL condition, that of a partial index: no other row ever is too old. */
  readonly of?: string;
  /** An SQL condition: such rows are kept, however old. */
  readonly unless?: string;
}

const isOfCurrentOutage = (table: string, outage: string): string =>
  `EXISTS (SELECT 1 FROM check_states WHERE check_states.check_no = ${table}.check_no AND check_states.outage = ${table}.${outage})`;

/** Lifetimes of every table, so that none is forgotten when an account, a check, or time ends its rows. */
export const lifetimes: Readonly<Record<Table, Lifetime>> = {
  account_switches: {
    holds: "which checks of an account are still to be switched on or off with it",
    with: "accounts",
    rule: "until all are",
  },
  account_usage: { holds: "how much of its limits an account uses", with: "accounts" },
  accounts: { holds: "accounts", rule: "until they are deleted" },
  addresses: { holds: "addresses of contacts", with: "contacts" },
  alerts: {
    holds: "alerts",
    account: true,
    age: {
      since: "coalesce(last_at, created_at)",
      kept: "history",
      of: "status NOT IN ('waiting', 'held')",
      unless: isOfCurrentOutage("alerts", "outage"),
    },
  },
  audit_log: {
    holds: "who changed what, 10,000 an account",
    account: true,
    age: { since: "at", kept: "history" },
  },
  bundles: {
    holds: "messages about several alerts",
    account: true,
    rule: "until no open alert is sent with them",
  },
  certificates: {
    holds: "certificates that checks observed, 100 a check",
    check: true,
    age: { since: "replaced_at", kept: "history", of: "replaced_at IS NOT NULL" },
  },
  changes: { holds: "changes of the configuration, for caches", rule: "an hour" },
  check_revisions: { holds: "what a check was when a result was stored", check: true },
  check_states: { holds: "states of checks", with: "checks" },
  checks: { holds: "checks", rule: "until they are deleted" },
  configurations: { holds: "which records were made from a configuration in files", account: true },
  contact_groups: { holds: "contact groups", account: true },
  contacts: { holds: "contacts", account: true },
  daily_summaries: {
    holds: "summaries of results by day",
    check: true,
    age: { since: "day", kept: "daily" },
  },
  deliveries: { holds: "deliveries of alerts", with: "alerts" },
  diagnostics: {
    holds: "diagnostics, 100 a check",
    account: true,
    check: true,
    age: { since: "ended_at", kept: "history", of: "ended_at IS NOT NULL" },
  },
  evidence: {
    holds: "evidence of failures",
    check: true,
    age: { since: "started_at", kept: "results" },
  },
  flips: {
    holds: "state changes",
    check: true,
    age: { since: "at", kept: "history", unless: isOfCurrentOutage("flips", "id") },
  },
  gaps: {
    holds: "missed and undecided ticks",
    check: true,
    age: { since: "last_tick", kept: "history", of: "is_open = 0" },
  },
  heartbeat_aliases: {
    holds: "hashes of addresses that heartbeats had in another system, 20 a check",
    with: "checks",
  },
  hourly_summaries: {
    holds: "summaries of results by hour",
    check: true,
    age: { since: "day", kept: "hourly" },
  },
  imported_histories: {
    holds: "from which system the history of a check was taken over, and of which time",
    check: true,
  },
  imported_records: {
    holds:
      "which record of another system an imported record was, with digests of what it said, 20,000 an account",
    account: true,
  },
  imported_spans: {
    holds: "when checks were up and down in the system they came from, 20,000 times a check",
    check: true,
  },
  incidents: { holds: "incidents on status pages", account: true },
  maintenance_checks: { holds: "checks that a maintenance under way pauses", with: "checks" },
  maintenances: { holds: "maintenances, each with its last ten times", account: true },
  meta: { holds: "facts about the installation", rule: "forever" },
  notices: {
    holds: "what alerts say, once for all alerts of a state change",
    rule: "as long as the last of these alerts",
  },
  packed_days: {
    holds: "results of days that are over, packed",
    check: true,
    age: { since: "last_at", kept: "results" },
  },
  page_messages: {
    holds: "messages to subscribers of status pages",
    account: true,
    with: "page_subscribers",
    rule: "until they are sent, or have failed for hours",
  },
  page_posts: {
    holds: "which updates of incidents are sent to subscribers",
    account: true,
    with: "incidents",
    rule: "until all are sent",
  },
  page_subscribers: {
    holds: "subscribers of status pages",
    account: true,
    with: "status_pages",
    rule: "until they end, or two days where nobody confirms; then a keyed hash of the address for 30 days, and for a year of one that wanted no mails",
  },
  passkeys: {
    holds: "public keys of passkeys, 20 a contact",
    with: "contacts",
    rule: "until they are removed",
  },
  pending_sign_ins: {
    holds: "sign-ins that wait for a second factor after their end, by a hash, 5 a contact",
    with: "contacts",
    age: { since: "ends_at", kept: "results" },
  },
  profiles: { holds: "notification profiles", account: true },
  recent_sends: { holds: "when an address was last sent to, for grouping", with: "contacts" },
  recovery_codes: {
    holds: "hashes of recovery codes, 10 a contact",
    with: "contacts",
    rule: "until they are used or replaced",
  },
  rejected_results: {
    holds: "results that could not be stored as such, 1,000 at most",
    check: true,
    age: { since: "rejected_at", kept: "history" },
  },
  removed_checks: { holds: "deleted checks", rule: "until all that they had is purged" },
  schedules: { holds: "schedules", account: true },
  service_days: {
    holds: "days on which the service ran",
    rule: "as many as anything is kept",
  },
  sessions: {
    holds: "sessions of contacts after their end, by a hash, 50 a contact",
    with: "contacts",
    age: { since: "ends_at", kept: "results" },
  },
  sign_in_links: {
    holds: "links that sign a contact in after their end, by a hash, one a contact",
    with: "contacts",
    age: { since: "ends_at", kept: "results" },
  },
  spans: { holds: "when checks were enabled, and down: their uptime", check: true },
  started_runs: {
    holds: "runs of PUSH checks that have begun and not ended, 20 of a check at most",
    check: true,
    age: { since: "started_at", kept: "results" },
  },
  locations: {
    holds: "locations on other machines that were live",
    rule: "until they are forgotten",
  },
  status_page_names: { holds: "names of status pages", with: "status_pages" },
  status_page_outages: { holds: "outages with an incident on a status page", with: "status_pages" },
  status_pages: { holds: "status pages", account: true },
  system_mails: {
    holds: "mails to contacts that are not alerts",
    account: true,
    with: "contacts",
    rule: "until they are sent, or have failed for hours",
  },
  alert_mails: {
    holds: "hashes of the mailboxes that were sent alerts, and how many mails",
    rule: "a day, and until the next of them",
  },
  unasked_mails: {
    holds: "hashes of the mailboxes that were sent passwords and test messages",
    rule: "a day, and until the next of them",
  },
  totp_factors: {
    holds: "secrets of authenticator apps, one a contact",
    with: "contacts",
    rule: "until they are removed",
  },
  tokens: { holds: "hashes of API tokens", with: "accounts", rule: "until they are revoked" },
};

/** Tables of a database that nothing would ever purge. */
export function tablesWithoutLifetime(tables: readonly string[]): readonly string[] {
  return tables.filter((table) => !Object.hasOwn(lifetimes, table));
}

/** Returns the retention periods for the documentation: each kind of row and how long it is kept. */
export function retentionTable(): readonly (readonly [holds: string, kept: string])[] {
  const words: Readonly<Record<RowAge["kept"], string>> = {
    results: `${RESULTS_KEPT_DAYS} days`,
    history: "`WATCHPOST_HISTORY_DAYS`",
    hourly: "`WATCHPOST_HOURLY_SUMMARY_DAYS`",
    daily: "`WATCHPOST_DAILY_SUMMARY_DAYS`",
  };
  const rows = Object.values(lifetimes).map(
    ({ holds, account, check, age, with: parent, rule }) => {
      const ends = [
        ...(age === undefined ? [] : [words[age.kept]]),
        ...(rule === undefined ? [] : [rule]),
        ...(account === true ? ["at most as long as the account"] : []),
        ...(check === true ? ["at most as long as the check"] : []),
        ...(parent === undefined ? [] : [`at most as long as the ${parent.replace(/s$/, "")}`]),
      ];
      return [holds, ends.join("; ")] as const;
    },
  );
  return [["results", `${words.results}; at most as long as the check`], ...rows];
}

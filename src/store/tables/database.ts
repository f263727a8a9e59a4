import type { Generated } from "kysely";

import type { AccountStatus } from "../../domain/account/account.ts";
import type { ChangeKind } from "../../domain/change.ts";
import type { Region } from "../../domain/location.ts";
import type { CompatibilityMode, TokenAccess } from "../../domain/account/token.ts";
import type { State } from "../../domain/run/verdict.ts";
import type { Gap } from "../states.ts";
import type {
  AlertMailTable,
  AlertTable,
  BundleTable,
  DeliveryTable,
  NoticeTable,
  RecentSendTable,
} from "./alerts/alert-tables.ts";
import type {
  AccountSwitchTable,
  AccountUsageTable,
  AuditTable,
  ConfigurationTable,
  PasskeyTable,
  PendingSignInTable,
  RecoveryCodeTable,
  SessionTable,
  SignInLinkTable,
  TotpFactorTable,
} from "./account-tables.ts";
import type { CheckFlagColumns, NumericBoolean } from "./columns.ts";
import type {
  AddressTable,
  ContactGroupTable,
  ContactTable,
  ProfileTable,
  ScheduleTable,
} from "./contacts/contact-tables.ts";
import type { PackedDayTable, SummaryTable } from "../results/packed-day-table.ts";
import type { FindingTables } from "./diagnostics-tables.ts";
import type { ImportTables } from "./import-tables.ts";
import type { StatusTables } from "./status-tables.ts";

export interface Database extends FindingTables, ImportTables, StatusTables {
  readonly accounts: AccountTable;
  readonly account_usage: AccountUsageTable;
  readonly account_switches: AccountSwitchTable;
  readonly tokens: TokenTable;
  readonly audit_log: AuditTable;
  readonly configurations: ConfigurationTable;
  readonly sessions: SessionTable;
  readonly sign_in_links: SignInLinkTable;
  readonly totp_factors: TotpFactorTable;
  readonly passkeys: PasskeyTable;
  readonly recovery_codes: RecoveryCodeTable;
  readonly pending_sign_ins: PendingSignInTable;
  readonly contacts: ContactTable;
  readonly contact_groups: ContactGroupTable;
  readonly profiles: ProfileTable;
  readonly system_mails: SystemMailTable;
  readonly unasked_mails: UnaskedMailTable;
  readonly alert_mails: AlertMailTable;
  readonly locations: LocationTable;
  readonly maintenances: MaintenanceTable;
  readonly maintenance_checks: MaintenanceCheckTable;
  readonly removed_checks: RemovedCheckTable;
  readonly addresses: AddressTable;
  readonly schedules: ScheduleTable;
  readonly checks: CheckTable;
  readonly check_revisions: CheckRevisionTable;
  readonly check_states: CheckStateTable;
  readonly spans: SpanTable;
  readonly gaps: GapTable;
  readonly flips: FlipTable;
  readonly alerts: AlertTable;
  readonly notices: NoticeTable;
  readonly bundles: BundleTable;
  readonly recent_sends: RecentSendTable;
  readonly deliveries: DeliveryTable;
  readonly changes: ChangeTable;
  readonly service_days: ServiceDayTable;
  readonly packed_days: PackedDayTable;
  readonly hourly_summaries: SummaryTable;
  readonly daily_summaries: SummaryTable;
  readonly rejected_results: RejectedResultTable;
  readonly meta: MetaTable;
}

export interface AccountTable {
  readonly id: string;
  readonly parent_id: string | null;
  readonly name: string;
  readonly status: AccountStatus;
  readonly created_at: number;
  readonly time_zone: string;
  readonly default_regions: string;
  readonly wants_news: NumericBoolean;
  readonly suppress_all: NumericBoolean | null;
  readonly auto_diagnostics: NumericBoolean;
  readonly recheck_wait: number;
  readonly default_notifications: string;
  readonly branding: string | null;
  readonly calendar_key: string | null;
}

export interface TokenTable {
  readonly digest: string;
  readonly account_id: string;
  readonly label: string;
  readonly created_at: number;
  readonly compatibility: CompatibilityMode;
  readonly access: TokenAccess;
  readonly expires_at: number | null;
  readonly used_at: number | null;
}

export interface SystemMailTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly contact_id: string;
  /** Of mails about the same topic only the last is kept. */
  readonly topic: string;
  /** Sealed JSON. */
  readonly sealed: Uint8Array;
  readonly created_at: number;
  readonly attempts: number;
  readonly next_attempt_at: number;
}

export interface UnaskedMailTable {
  readonly seq: Generated<number>;
  readonly mailbox: string;
  readonly primary_id: string;
  readonly at: number;
}

export interface LocationTable {
  readonly code: string;
  readonly region: Region | null;
  readonly version: string | null;
  readonly first_seen_at: number;
  readonly last_seen_at: number;
}

export interface MaintenanceTable {
  readonly seq: Generated<number>;
  readonly account_id: string;
  readonly id: string;
  readonly name: string;
  readonly duration_minutes: number;
  readonly check_ids: string;
  readonly enabled: NumericBoolean;
  readonly cron: string | null;
  readonly starts_at: number | null;
  readonly next_at: number | null;
  /** Null unless it is under way. */
  readonly ends_at: number | null;
  readonly history: string;
  readonly changed_at: number;
  readonly changed_by: string;
}

export interface MaintenanceCheckTable {
  readonly check_no: number;
  readonly maintenance_seq: number;
}

export interface RemovedCheckTable {
  readonly check_no: number;
}

export interface CheckTable extends CheckFlagColumns {
  readonly no: Generated<number>;
  readonly id: string;
  /** A hash of the id. */
  readonly shard: number;
  readonly account_id: string;
  readonly type: string;
  readonly label: string;
  readonly interval_minutes: number;
  readonly timeout_seconds: number;
  readonly rechecks: number | null;
  readonly recheck_wait: number | null;
  readonly enabled: NumericBoolean;
  readonly disabled_with_all: NumericBoolean;
  readonly regions: string | null;
  /** Sealed JSON. */
  readonly parameters: Uint8Array;
  readonly notifications: string;
  readonly depends_on: string | null;
  /** As on an address. */
  readonly mute: number;
  readonly quiet_first: NumericBoolean;
  readonly tags: string;
  readonly description: string;
  readonly home: string | null;
  readonly revision: number;
  readonly revision_hash: string;
  readonly run_revision: number;
  readonly run_changed_at: number;
  readonly uuid: string;
  readonly queue: string;
  readonly created_at: number;
  readonly modified_at: number;
}

export interface CheckRevisionTable {
  readonly check_no: number;
  readonly revision: number;
  readonly type: string;
  /** A query may contain keys. */
  readonly sealed_target: Uint8Array;
  readonly timeout_seconds: number;
  readonly interval_minutes: number;
}

export interface CheckStateTable {
  readonly check_no: number;
  readonly state: State | null;
  /** When the first run began that led to a verdict; null before that. */
  readonly known_since: number | null;
  readonly down_since: number | null;
  readonly outage: string | null;
  /** When that outage began, whatever interrupted it since. */
  readonly outage_since: number | null;
  /** Who sees to that outage; null where nobody said so. */
  readonly acknowledged_at: number | null;
  readonly acknowledged_by: string | null;
  readonly acknowledged_note: string | null;
  /** JSON; null where there are none. */
  readonly failing_locations: string | null;
}

export interface SpanTable {
  readonly seq: Generated<number>;
  readonly check_no: number;
  readonly kind: "enabled" | "down" | "maintenance";
  readonly start_at: number;
  readonly end_at: number | null;
  readonly text: Generated<string>;
  readonly message: Generated<string>;
  readonly acknowledged_at: Generated<number | null>;
  readonly acknowledged_by: Generated<string | null>;
}

export interface GapTable {
  readonly seq: Generated<number>;
  readonly check_no: number;
  readonly is_open: NumericBoolean;
  readonly kind: Gap["kind"];
  readonly reason: string;
  readonly message: string;
  readonly first_tick: number;
  readonly last_tick: number;
  readonly ticks: number;
}

export interface FlipTable {
  readonly id: string;
  readonly check_no: number;
  readonly from_state: State | null;
  readonly to_state: State;
  readonly at: number;
  readonly since: number;
  readonly revision: number;
  readonly text: string;
  readonly message: string;
}

export interface ChangeTable {
  readonly seq: Generated<number>;
  readonly account_id: string;
  readonly check_no: number | null;
  readonly kind: Generated<ChangeKind>;
  /** The id of a check that was removed. */
  readonly removed_id: string | null;
  readonly at: number;
}

export interface ServiceDayTable {
  /** The instant at which it begins. */
  readonly day: number;
  /** How long the service has run since it entered this day. */
  readonly run_ms: number;
  readonly counted_at: number;
}

export interface RejectedResultTable {
  readonly seq: Generated<number>;
  readonly check_no: number;
  readonly rejected_at: number;
  readonly reason: string;
  /** JSON, as far as it can be written so. */
  readonly result: string;
}

export interface MetaTable {
  readonly key: string;
  readonly value: string;
}

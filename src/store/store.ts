import type { Result } from "../domain/run/result.ts";
import type { AccountReads, AccountWrites } from "./accounts.ts";
import type { AlertReads, AlertWrites } from "./alerts.ts";
import type { AuditReads, AuditWrites } from "./identity/audit.ts";
import type { ChangeReads, ChangeWrites } from "./changes.ts";
import type { CheckReads, CheckWrites } from "./checks.ts";
import type { ConfigurationReads, ConfigurationWrites } from "./configurations.ts";
import type { ContactReads, ContactWrites } from "./contacts.ts";
import type { DeliveryReads } from "./deliveries.ts";
import type { DiagnosticsReads, DiagnosticsWrites } from "./diagnostics.ts";
import type { EvidenceReads, EvidenceWrites } from "./evidence.ts";
import type { GroupReads, GroupWrites } from "./groups.ts";
import type { EarlierReception } from "./hearing.ts";
import type { HeartbeatAliasReads, HeartbeatAliasWrites } from "./imports/heartbeat-aliases.ts";
import type { ImportedHistoryReads, ImportedHistoryWrites } from "./imports/imported-histories.ts";
import type { ImportedRecordReads, ImportedRecordWrites } from "./imports/imported-records.ts";
import type { LocationReads, LocationWrites } from "./locations.ts";
import type { MailBudgetReads, MailBudgetWrites } from "./mail-budget.ts";
import type { SystemMailReads, SystemMailWrites } from "./system-mails.ts";
import type { IncidentReads, IncidentWrites } from "./status/incidents.ts";
import type { MaintenanceReads, MaintenanceWrites } from "./maintenances.ts";
import type { PageOutageReads, PageOutageWrites } from "./status/page-outages.ts";
import type { ProcessReports } from "./process-reports.ts";
import type { ProfileReads, ProfileWrites } from "./profiles.ts";
import type {
  AppendEnd,
  ResultCondition,
  ResultReads,
  ResultStorage,
  ResultWrites,
} from "./results.ts";
import type { ScheduleReads, ScheduleWrites } from "./schedules.ts";
import type { SecondFactorReads, SecondFactorWrites } from "./identity/second-factors.ts";
import type { SessionReads, SessionWrites } from "./identity/sessions.ts";
import type { PageMessageReads, PageMessageWrites } from "./status/page-messages.ts";
import type { StatusPageReads, StatusPageWrites } from "./status/status-pages.ts";
import type { SubscriberReads, SubscriberWrites } from "./status/subscribers.ts";
import type { StartedRunReads, StartedRunWrites, StateReads, StateWrites } from "./states.ts";
import type { TokenReads, TokenWrites } from "./identity/tokens.ts";
import type { UsageReads } from "./usage.ts";

export interface Reads {
  readonly changes: ChangeReads;
  readonly accounts: AccountReads;
  readonly contacts: ContactReads;
  readonly groups: GroupReads;
  readonly heartbeatAliases: HeartbeatAliasReads;
  readonly importedHistories: ImportedHistoryReads;
  readonly importedRecords: ImportedRecordReads;
  readonly profiles: ProfileReads;
  readonly schedules: ScheduleReads;
  readonly checks: CheckReads;
  readonly configurations: ConfigurationReads;
  readonly maintenances: MaintenanceReads;
  readonly incidents: IncidentReads;
  readonly states: StateReads;
  readonly statusPages: StatusPageReads;
  readonly pageOutages: PageOutageReads;
  readonly subscribers: SubscriberReads;
  readonly pageMessages: PageMessageReads;
  readonly results: ResultReads;
  readonly alerts: AlertReads;
  readonly deliveries: DeliveryReads;
  readonly systemMails: SystemMailReads;
  readonly locations: LocationReads;
  readonly mailBudget: MailBudgetReads;
  readonly diagnostics: DiagnosticsReads;
  readonly evidence: EvidenceReads;
  readonly startedRuns: StartedRunReads;
  readonly tokens: TokenReads;
  readonly sessions: SessionReads;
  readonly secondFactors: SecondFactorReads;
  readonly audit: AuditReads;
  readonly usage: UsageReads;
}

/** What a unit of work sees: its own writes included. */
export interface Transaction {
  readonly changes: ChangeWrites;
  readonly accounts: AccountReads & AccountWrites;
  readonly contacts: ContactReads & ContactWrites;
  readonly groups: GroupReads & GroupWrites;
  readonly heartbeatAliases: HeartbeatAliasReads & HeartbeatAliasWrites;
  readonly importedHistories: ImportedHistoryReads & ImportedHistoryWrites;
  readonly importedRecords: ImportedRecordReads & ImportedRecordWrites;
  readonly profiles: ProfileReads & ProfileWrites;
  readonly schedules: ScheduleReads & ScheduleWrites;
  readonly checks: CheckReads & CheckWrites;
  readonly configurations: ConfigurationReads & ConfigurationWrites;
  readonly maintenances: MaintenanceReads & MaintenanceWrites;
  readonly incidents: IncidentReads & IncidentWrites;
  readonly states: StateReads & StateWrites;
  readonly statusPages: StatusPageReads & StatusPageWrites;
  readonly pageOutages: PageOutageReads & PageOutageWrites;
  readonly subscribers: SubscriberReads & SubscriberWrites;
  readonly pageMessages: PageMessageReads & PageMessageWrites;
  readonly results: ResultWrites & Pick<ResultStorage, "latest">;
  readonly alerts: AlertReads & AlertWrites;
  readonly systemMails: SystemMailReads & SystemMailWrites;
  readonly locations: LocationReads & LocationWrites;
  readonly mailBudget: MailBudgetReads & MailBudgetWrites;
  readonly diagnostics: DiagnosticsReads & DiagnosticsWrites;
  readonly evidence: EvidenceReads & EvidenceWrites;
  readonly startedRuns: StartedRunReads & StartedRunWrites;
  readonly tokens: TokenReads & TokenWrites;
  readonly sessions: SessionReads & SessionWrites;
  readonly secondFactors: SecondFactorReads & SecondFactorWrites;
  readonly audit: AuditReads & AuditWrites;
  readonly usage: Pick<UsageReads, "of">;
}

/** What only the controller of the checks that it is about may write. */
export type ControllerWrites = Pick<Store, "append" | "write">;

export interface UnitOptions {
  /** Numbers of the checks that the unit is about: until it ends no other unit about one of them runs. */
  readonly checks?: readonly number[];
  /** The primary account whose unit it is: these share the time of commits. A unit that others wait for has none. */
  readonly accountId?: string;
}

export interface AlsoWithResult {
  readonly closesGap?: boolean;
  /** Whether it waits for results that can share its commit: nobody waits for it but its run. */
  readonly mayWait?: boolean;
  /** Without one a result is stored whatever others stored. */
  readonly condition?: ResultCondition;
}

export interface Store extends Reads {
  /**
   * Runs a unit atomically and resolves once it is durable. One that throws leaves nothing behind and affects no other. Rejects
   * with Unavailable where the store cannot commit, or does not within some seconds; then nothing was stored, unless the message
   * says that this is not known. A unit reads and awaits nothing but its transaction, and has no effect but its writes: it may run
   * more than once before it is committed.
   */
  readonly write: <Value>(
    unit: (tx: Transaction) => Promise<Value>,
    options?: UnitOptions,
  ) => Promise<Value>;
  /** The cheap unit of one result, and of the end of its check's gap where there may be one. */
  readonly append: (result: Result, also?: AlsoWithResult) => Promise<AppendEnd>;
  /** Why the last commit failed, or that one hangs; undefined while the store can commit. */
  readonly writeError: () => string | undefined;
  /** What the store drops for want of space; undefined where it drops nothing. */
  readonly shortage?: () => string | undefined;
  /** Which file of the database is no longer there, so that nothing can be stored until a restart; undefined where all are. */
  readonly filesGone?: () => string | undefined;
  /** Why a read failed that will fail again: the database is damaged. Undefined where none did. */
  readonly readError?: () => string | undefined;
  /** How long the oldest commit that waits has waited, in ms; 0 where none does. */
  readonly oldestWaitMs: () => number;
  /** Which part of housekeeping does not end; undefined where it does. */
  readonly housekeepingError: () => string | undefined;
  /** For how many days to come results have a table; undefined where one is made when it is needed. */
  readonly partitionsAhead?: () => number;
  /** Median of the latest round trips to the database, in ms; undefined before the first, and where the database is in this process. */
  readonly roundTripMs?: () => number | undefined;
  /** Only where an installation may have several processes. */
  readonly processReports?: ProcessReports;
  /** What the process that last had this store open left behind; undefined where there was none. Only where one alone may. */
  readonly receptionBefore?: () => EarlierReception | undefined;
  /** Writes something, so that `writeError` is true also where nobody else writes. */
  readonly probeWrite: () => Promise<void>;
  /** One round: results are compacted, and what was deleted or is too old is purged. Never delays the caller's event loop. */
  readonly runHousekeeping: () => Promise<void>;
  readonly close: () => Promise<void>;
}

import type { Kysely } from "kysely";

import type { Sealer } from "../../kit/crypto/seal.ts";
import type { ResultStorage } from "../results.ts";
import { createAccountReads, createAccountWrites } from "./accounts.ts";
import { createAlertReads, createAlertWrites } from "./alerts/alerts.ts";
import { createAuditReads, createAuditWrites } from "./audit.ts";
import { createCheckReads, createCheckWrites } from "./checks/checks.ts";
import { createConfigurationReads, createConfigurationWrites } from "./configurations.ts";
import { createContactReads, createContactWrites } from "./contacts/contacts.ts";
import { createDeliveryReads } from "./deliveries.ts";
import { createDiagnosticsReads, createDiagnosticsWrites } from "./diagnostics.ts";
import { createEvidenceReads, createEvidenceWrites } from "./evidence.ts";
import { createGroupReads, createGroupWrites } from "./groups.ts";
import { createHeartbeatAliasReads, createHeartbeatAliasWrites } from "./heartbeat-aliases.ts";
import { createImportedHistoryReads, createImportedHistoryWrites } from "./imported-histories.ts";
import { createImportedRecordReads, createImportedRecordWrites } from "./imported-records.ts";
import { createIncidentReads, createIncidentWrites } from "./incidents.ts";
import { createLocationReads, createLocationWrites } from "./locations.ts";
import { createMailBudgetReads, createMailBudgetWrites } from "./mail-budget.ts";
import { createMaintenanceReads, createMaintenanceWrites } from "./maintenances.ts";
import { createPageMessageReads, createPageMessageWrites } from "./page-messages.ts";
import { createPageOutageReads, createPageOutageWrites } from "./page-outages.ts";
import { createProfileReads, createProfileWrites } from "./profiles.ts";
import { createScheduleReads, createScheduleWrites } from "./schedules.ts";
import { createSecondFactorReads, createSecondFactorWrites } from "./second-factors.ts";
import { createSessionReads, createSessionWrites } from "./sessions.ts";
import { createStartedRunReads, createStartedRunWrites } from "./started-runs.ts";
import { createStateReads, createStateWrites } from "./checks/states.ts";
import { createStatusPageReads, createStatusPageWrites } from "./status-pages.ts";
import { createSubscriberReads, createSubscriberWrites } from "./subscribers.ts";
import { createSystemMailReads, createSystemMailWrites } from "./system-mails.ts";
import { createTokenReads, createTokenWrites } from "./tokens.ts";
import { createUsageReads } from "./usage.ts";
import { createChangeWrites } from "./changes.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";

export interface QueryDeps {
  readonly engine: Engine;
  readonly sealer: Sealer;
  readonly maxEvidenceBytes: number;
  readonly latestResults: ResultStorage["latest"];
}

/** Reads all that an engine keeps in common tables: everything but results. */
export function createReads(db: Kysely<Database>, deps: QueryDeps) {
  return {
    accounts: createAccountReads(db),
    alerts: createAlertReads(db, deps),
    audit: createAuditReads(db),
    checks: createCheckReads(db, deps),
    configurations: createConfigurationReads(db),
    contacts: createContactReads(db, deps),
    deliveries: createDeliveryReads(db),
    diagnostics: createDiagnosticsReads(db, deps),
    evidence: createEvidenceReads(db),
    groups: createGroupReads(db),
    heartbeatAliases: createHeartbeatAliasReads(db),
    importedHistories: createImportedHistoryReads(db),
    importedRecords: createImportedRecordReads(db),
    incidents: createIncidentReads(db, deps),
    locations: createLocationReads(db),
    mailBudget: createMailBudgetReads(db),
    maintenances: createMaintenanceReads(db, deps),
    pageMessages: createPageMessageReads(db, deps),
    pageOutages: createPageOutageReads(db),
    profiles: createProfileReads(db),
    schedules: createScheduleReads(db),
    secondFactors: createSecondFactorReads(db, deps),
    sessions: createSessionReads(db),
    startedRuns: createStartedRunReads(db),
    states: createStateReads(db),
    statusPages: createStatusPageReads(db),
    subscribers: createSubscriberReads(db, deps),
    systemMails: createSystemMailReads(db, deps),
    tokens: createTokenReads(db),
    usage: createUsageReads(db),
  };
}

/** What a unit reads and writes in common tables. */
export function createUnitQueries(db: Kysely<Database>, deps: QueryDeps) {
  const reads = createReads(db, deps);
  return {
    changes: createChangeWrites(db, deps),
    accounts: { ...reads.accounts, ...createAccountWrites(db, deps) },
    alerts: { ...reads.alerts, ...createAlertWrites(db, deps) },
    audit: { ...reads.audit, ...createAuditWrites(db) },
    checks: { ...reads.checks, ...createCheckWrites(db, deps) },
    configurations: { ...reads.configurations, ...createConfigurationWrites(db) },
    contacts: { ...reads.contacts, ...createContactWrites(db, deps) },
    diagnostics: { ...reads.diagnostics, ...createDiagnosticsWrites(db, deps) },
    evidence: { ...reads.evidence, ...createEvidenceWrites(db, deps) },
    groups: { ...reads.groups, ...createGroupWrites(db) },
    heartbeatAliases: { ...reads.heartbeatAliases, ...createHeartbeatAliasWrites(db) },
    importedHistories: { ...reads.importedHistories, ...createImportedHistoryWrites(db) },
    importedRecords: { ...reads.importedRecords, ...createImportedRecordWrites(db) },
    incidents: { ...reads.incidents, ...createIncidentWrites(db, deps) },
    locations: { ...reads.locations, ...createLocationWrites(db) },
    mailBudget: { ...reads.mailBudget, ...createMailBudgetWrites(db, deps) },
    maintenances: { ...reads.maintenances, ...createMaintenanceWrites(db, deps) },
    pageMessages: { ...reads.pageMessages, ...createPageMessageWrites(db, deps) },
    pageOutages: { ...reads.pageOutages, ...createPageOutageWrites(db, deps) },
    profiles: { ...reads.profiles, ...createProfileWrites(db) },
    schedules: { ...reads.schedules, ...createScheduleWrites(db) },
    secondFactors: { ...reads.secondFactors, ...createSecondFactorWrites(db, deps) },
    sessions: { ...reads.sessions, ...createSessionWrites(db) },
    startedRuns: { ...reads.startedRuns, ...createStartedRunWrites(db) },
    states: { ...reads.states, ...createStateWrites(db, deps) },
    statusPages: { ...reads.statusPages, ...createStatusPageWrites(db, deps) },
    subscribers: { ...reads.subscribers, ...createSubscriberWrites(db, deps) },
    systemMails: { ...reads.systemMails, ...createSystemMailWrites(db, deps) },
    tokens: { ...reads.tokens, ...createTokenWrites(db) },
    usage: reads.usage,
  };
}

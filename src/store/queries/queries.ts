import type { Kysely } from "kysely";

import type { Sealer } from "../../kit/crypto/seal.ts";
import type { ResultStorage } from "../results.ts";
import type { Reads, Transaction } from "../store.ts";
import { createAccounts } from "./accounts.ts";
import { createAlerts } from "./alerts/alerts.ts";
import { createAudit } from "./identity/audit.ts";
import { createChanges } from "./changes.ts";
import { createChecks } from "./checks/checks.ts";
import { createConfigurations } from "./configurations.ts";
import { createContacts } from "./contacts/contacts.ts";
import { createDeliveries } from "./deliveries.ts";
import { createDiagnostics } from "./diagnostics.ts";
import type { Engine } from "./engine.ts";
import { createEvidence } from "./checks/evidence.ts";
import { createGroups } from "./contacts/groups.ts";
import { createHeartbeatAliases } from "./imports/heartbeat-aliases.ts";
import { createImportedHistories } from "./imports/imported-histories.ts";
import { createImportedRecords } from "./imports/imported-records.ts";
import { createLocations } from "./locations.ts";
import { createMailBudget } from "./mail-budget.ts";
import { createMaintenances } from "./maintenances.ts";
import { createProfiles } from "./contacts/profiles.ts";
import { createSchedules } from "./schedules.ts";
import { createSecondFactors } from "./identity/second-factors.ts";
import { createSessions } from "./identity/sessions.ts";
import { createStartedRuns } from "./checks/started-runs.ts";
import { createStates } from "./checks/states.ts";
import { createIncidents } from "./status/incidents.ts";
import { createPageOutages } from "./status/page-outages.ts";
import { createPageMessages } from "./status/page-messages.ts";
import { createStatusPages } from "./status/status-pages.ts";
import { createSubscribers } from "./status/subscribers.ts";
import { createSystemMails } from "./system-mails.ts";
import type { Database } from "./tables.ts";
import { createTokens } from "./identity/tokens.ts";
import { createUsage } from "./usage.ts";

export interface QueryDeps {
  readonly engine: Engine;
  readonly sealer: Sealer;
  readonly mostEvidenceBytes: number;
  readonly latestResults: ResultStorage["latest"];
}

/** All that an engine keeps in common tables: everything but results. */
export function createQueries(
  db: Kysely<Database>,
  deps: QueryDeps,
): Omit<Transaction & Omit<Reads, "changes">, "results"> {
  return {
    accounts: createAccounts(db, deps),
    alerts: createAlerts(db, deps),
    audit: createAudit(db),
    changes: createChanges(db, deps),
    checks: createChecks(db, deps),
    configurations: createConfigurations(db),
    contacts: createContacts(db, deps),
    deliveries: createDeliveries(db),
    diagnostics: createDiagnostics(db, deps),
    evidence: createEvidence(db, deps),
    groups: createGroups(db),
    heartbeatAliases: createHeartbeatAliases(db),
    importedHistories: createImportedHistories(db),
    importedRecords: createImportedRecords(db),
    incidents: createIncidents(db, deps),
    locations: createLocations(db),
    mailBudget: createMailBudget(db, deps),
    maintenances: createMaintenances(db, deps),
    pageOutages: createPageOutages(db, deps),
    pageMessages: createPageMessages(db, deps),
    profiles: createProfiles(db),
    schedules: createSchedules(db),
    secondFactors: createSecondFactors(db, deps),
    sessions: createSessions(db),
    startedRuns: createStartedRuns(db),
    states: createStates(db, deps),
    statusPages: createStatusPages(db, deps),
    subscribers: createSubscribers(db, deps),
    systemMails: createSystemMails(db, deps),
    tokens: createTokens(db),
    usage: createUsage(db),
  };
}

import type { ResourceDeps } from "./deps.ts";
import type { Resource } from "./operation.ts";
import { accounts } from "./resources/accounts/accounts.ts";
import { audit } from "./resources/audit.ts";
import { branding } from "./resources/branding.ts";
import { calendar } from "./resources/calendar.ts";
import { checks } from "./resources/checks/checks.ts";
import { configurations } from "./resources/configurations.ts";
import { contactGroups } from "./resources/contact-groups.ts";
import { contacts } from "./resources/contacts/contacts.ts";
import { dependents } from "./resources/dependents.ts";
import { diagnostics } from "./resources/diagnostics.ts";
import { heartbeatAliases } from "./resources/heartbeat-aliases.ts";
import { importedHistories } from "./resources/imported-histories.ts";
import { imports } from "./resources/imports/imports.ts";
import { incidents } from "./resources/incidents/incidents.ts";
import { info } from "./resources/info/info.ts";
import { maintenance } from "./resources/maintenance.ts";
import { notificationProfiles } from "./resources/notification-profiles.ts";
import { notifications } from "./resources/notifications/notifications.ts";
import { results } from "./resources/results/results.ts";
import { schedules } from "./resources/schedules.ts";
import { secondFactors } from "./resources/second-factors.ts";
import { sessions } from "./resources/sessions.ts";
import { statuses } from "./resources/statuses/statuses.ts";
import { statusPages } from "./resources/status-pages/status-pages.ts";
import { subscribers } from "./resources/subscribers.ts";
import { tokens } from "./resources/tokens.ts";
import { updates } from "./resources/updates/updates.ts";

export function createResources(deps: ResourceDeps): readonly Resource[] {
  return [
    accounts(deps),
    audit(deps),
    branding(deps),
    calendar(deps),
    checks(deps),
    configurations(deps),
    contactGroups(deps),
    contacts(deps),
    dependents(deps),
    diagnostics(deps),
    heartbeatAliases(deps),
    importedHistories(deps),
    imports(deps),
    incidents(deps),
    info(deps),
    maintenance(deps),
    notificationProfiles(deps),
    notifications(deps),
    results(deps),
    schedules(deps),
    secondFactors(deps),
    sessions(deps),
    statuses(deps),
    statusPages(deps),
    subscribers(deps),
    tokens(deps),
    updates(deps),
  ];
}

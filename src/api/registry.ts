import type { ApiDeps } from "./deps.ts";
import type { Resource } from "./operation.ts";
import { accounts } from "./resources/accounts.ts";
import { branding } from "./resources/branding.ts";
import { checks } from "./resources/checks.ts";
import { contactGroups } from "./resources/contact-groups.ts";
import { contacts } from "./resources/contacts.ts";
import { diagnostics } from "./resources/diagnostics.ts";
import { info } from "./resources/info.ts";
import { maintenance } from "./resources/maintenance.ts";
import { notificationProfiles } from "./resources/notification-profiles.ts";
import { notifications } from "./resources/notifications.ts";
import { results } from "./resources/results.ts";
import { schedules } from "./resources/schedules.ts";

export function createResources(deps: ApiDeps): readonly Resource[] {
  return [
    accounts(deps),
    branding(deps),
    checks(deps),
    contactGroups(deps),
    contacts(deps),
    diagnostics(deps),
    info(deps),
    maintenance(deps),
    notificationProfiles(deps),
    notifications(deps),
    results(deps),
    schedules(deps),
  ];
}

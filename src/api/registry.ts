import type { ApiDeps } from "./deps.ts";
import type { Resource } from "./operation.ts";
import { accounts } from "./resources/accounts.ts";
import { checks } from "./resources/checks.ts";
import { contacts } from "./resources/contacts.ts";
import { notifications } from "./resources/notifications.ts";
import { results } from "./resources/results.ts";
import { schedules } from "./resources/schedules.ts";

export function createResources(deps: ApiDeps): readonly Resource[] {
  return [
    accounts(deps),
    checks(deps),
    contacts(deps),
    notifications(deps),
    results(deps),
    schedules(deps),
  ];
}

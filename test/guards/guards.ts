import type { Guard } from "./guard.ts";
import { accountsGuards } from "./removals/accounts.ts";
import { addressesGuards } from "./removals/addresses.ts";
import { answersGuards } from "./removals/answers.ts";
import { locationsGuards } from "./removals/locations.ts";
import { messagesGuards } from "./removals/messages.ts";
import { oidcGuards } from "./removals/oidc.ts";
import { publicPagesGuards } from "./removals/public-pages.ts";
import { requestsGuards } from "./removals/requests.ts";
import { secondFactorsGuards } from "./removals/second-factors.ts";
import { serviceGuards } from "./removals/service.ts";
import { sessionsGuards } from "./removals/sessions.ts";
import { subscribersGuards } from "./removals/subscribers.ts";

/** Every guard by its name. */
export const guards: Readonly<Record<string, Guard>> = {
  ...addressesGuards,
  ...answersGuards,
  ...requestsGuards,
  ...accountsGuards,
  ...messagesGuards,
  ...locationsGuards,
  ...serviceGuards,
  ...sessionsGuards,
  ...secondFactorsGuards,
  ...oidcGuards,
  ...publicPagesGuards,
  ...subscribersGuards,
};

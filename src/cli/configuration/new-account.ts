import { defaultSchedules } from "../../domain/schedule.ts";
import type { JsonObject } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import type { Configuration } from "./document.ts";

/** The configuration of a new account: the default schedules, and no recipients yet. */
export function newAccountConfiguration({ account }: Configuration): Configuration {
  return {
    account: { ...account, defaultnotifications: [] },
    contacts: {},
    contactgroups: {},
    schedules: Object.fromEntries(defaultSchedules.map(({ name, days }) => [name, days])),
    notificationprofiles: {},
    checks: {},
    maintenance: {},
    statuspages: {},
  };
}

/** The parameters that create a subaccount. Throws a CommandError if none of its contacts has an email address. */
export function newAccountParameters({ account, contacts }: Configuration): JsonObject {
  const [first] = Object.values(contacts).flatMap(({ name, addresses = {} }) =>
    Object.values(addresses)
      .filter(({ type }) => type === "email")
      .map(({ address }) => ({ contactname: name || address, email: address })),
  );
  if (first === undefined)
    throw new CommandError(
      `account ${JSON.stringify(account.customer_name)}: cannot be created, because none of its contacts has an email address`,
    );
  return {
    name: account.customer_name,
    timezone: account.timezonename ?? account.timezone,
    location: account.defaultlocations,
    emailme: account.emailme,
    ...first,
  };
}

import { defaultSchedules } from "../../domain/schedule.ts";
import type { Api, Values } from "../api.ts";
import { Refusal } from "../shell.ts";
import type { Configuration, Document } from "./document.ts";
import { pair } from "./pair.ts";
import { familyOf } from "./read.ts";

/** An account that is to become what a document says of it. */
export interface Target {
  readonly wanted: Configuration;
  /** Undefined where it is still to be made. */
  readonly id: string | undefined;
  readonly isSubaccount: boolean;
}

/** Which accounts a document speaks of: the one that is named, or the token's own with those below it. */
export async function targetsOf(
  api: Api,
  { subaccounts = [], ...wanted }: Document,
  account: string | undefined,
): Promise<readonly Target[]> {
  const family = await familyOf(api);
  const id = account ?? family.own;
  const isSubaccount = id !== family.own;
  if (isSubaccount && subaccounts.length > 0)
    throw new Refusal(
      "the document has subaccounts, and a subaccount has none: leave out --account",
    );
  const below = Object.fromEntries(
    subaccounts.map((each) => [each.account._id, { name: each.account.customer_name }]),
  );
  if (Object.keys(below).length < subaccounts.length)
    throw new Refusal("the document: subaccounts: two have one id");
  const pairs = pair({ wanted: below, current: family.subaccounts }, ({ name }) => name);
  return [
    { wanted, id, isSubaccount },
    ...subaccounts.map((each) => ({
      wanted: each,
      id: pairs.get(each.account._id),
      isSubaccount: true,
    })),
  ];
}

/** An account as it is made: with the schedules that each begins with. */
export function newConfiguration({ account }: Configuration): Configuration {
  return {
    account,
    contacts: {},
    contactgroups: {},
    schedules: Object.fromEntries(defaultSchedules.map(({ name, days }) => [name, days])),
    notificationprofiles: {},
    checks: {},
    maintenance: {},
  };
}

/** What it takes to make a subaccount; throws a Refusal where nobody of it can be its first contact. */
export function newAccountOf({ account, contacts }: Configuration): Values {
  const [first] = Object.values(contacts).flatMap(({ name, addresses = {} }) =>
    Object.values(addresses)
      .filter(({ type }) => type === "email")
      .map(({ address }) => ({ contactname: name || address, email: address })),
  );
  if (first === undefined)
    throw new Refusal(
      `account ${JSON.stringify(account.customer_name)}: cannot be made, for none of its contacts has a mailbox`,
    );
  return {
    name: account.customer_name,
    timezone: account.timezone,
    location: account.defaultlocations,
    emailme: account.emailme,
    ...first,
  };
}

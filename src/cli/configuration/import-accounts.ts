import { defaultSchedules } from "../../domain/schedule.ts";
import type { ApiClient, JsonObject } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import type { Configuration, Document } from "./document.ts";
import { matchRecords } from "./match.ts";
import { readAccountTree } from "./read-account.ts";

/** An account that is to become what a document says of it. */
export interface ImportAccount {
  readonly wanted: Configuration;
  /** Undefined where it is still to be made. */
  readonly id: string | undefined;
  readonly isSubaccount: boolean;
}

/** Which accounts a document speaks of: the one that is named, or the token's own with those below it. */
export async function importAccounts(
  api: ApiClient,
  { subaccounts = [], ...wanted }: Document,
  account: string | undefined,
): Promise<readonly ImportAccount[]> {
  const family = await readAccountTree(api);
  const id = account ?? family.own;
  const isSubaccount = id !== family.own;
  if (isSubaccount && subaccounts.length > 0)
    throw new CommandError(
      "the document has subaccounts, and a subaccount has none: leave out --account",
    );
  const below = Object.fromEntries(
    subaccounts.map((each) => [each.account._id, { name: each.account.customer_name }]),
  );
  if (Object.keys(below).length < subaccounts.length)
    throw new CommandError("the document: subaccounts: two have one id");
  const pairs = matchRecords({ wanted: below, current: family.subaccounts }, ({ name }) => name);
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
export function newAccountConfiguration({ account }: Configuration): Configuration {
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
export function newAccountParameters({ account, contacts }: Configuration): JsonObject {
  const [first] = Object.values(contacts).flatMap(({ name, addresses = {} }) =>
    Object.values(addresses)
      .filter(({ type }) => type === "email")
      .map(({ address }) => ({ contactname: name || address, email: address })),
  );
  if (first === undefined)
    throw new CommandError(
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

import { defaultSchedules } from "../../domain/schedule.ts";
import type { ApiClient, JsonObject } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import type { Configuration, Document } from "./document.ts";
import { matchRecords } from "./match.ts";
import { readAccountTree } from "./read-account.ts";

/** An account of the document, and the account that it is imported into. */
export interface ImportAccount {
  readonly wanted: Configuration;
  /** Undefined if it does not exist yet. */
  readonly id: string | undefined;
  readonly isSubaccount: boolean;
}

/** The accounts that a document is imported into: the given one, or the token's own and its subaccounts. */
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
      "the document has subaccounts, and a subaccount cannot have any: omit --account",
    );
  const below = Object.fromEntries(
    subaccounts.map((each) => [each.account._id, { name: each.account.customer_name }]),
  );
  if (Object.keys(below).length < subaccounts.length)
    throw new CommandError("the document: subaccounts: two have the same id");
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

import { z } from "zod";

import { subscriptionsOf, type Check } from "../../domain/check.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Address, Contact } from "../../domain/contact/contact.ts";
import type { Reads } from "../../store/store.ts";
import { recipientsOf } from "../../store/transactions/recipients-of.ts";

const listed = z.object({
  count: z.number(),
  /** The first of them, for people. */
  examples: z.array(z.string()),
});

export const alertingReport = z.object({
  /** Enabled checks whose alerts reach nobody. */
  checksAlertingNobody: listed,
  /** Contacts without an address that alerts go to. */
  unreachableContacts: listed,
  /** Alerts that were tried, and wait for another attempt; examples are the errors of their receivers. */
  failingAlerts: listed.extend({ oldestMs: z.number() }),
});

/** Whether alerts reach people, as far as what is stored can tell. */
export type AlertingReport = z.infer<typeof alertingReport>;

type Examined = Pick<Reads, "accounts" | "alerts" | "checks" | "contacts" | "groups" | "profiles">;

const MAX_EXAMPLES = 3;
const MAX_ALERTS = 1000;

export async function examineAlerting(store: Examined, now: number): Promise<AlertingReport> {
  const primary = await store.accounts.listPrimary();
  const families = await Promise.all(
    primary.map(({ id }) => store.accounts.listWithSubaccounts(id)),
  );
  const accounts = families.flat().map(({ account }) => account);
  const alertingNobody: string[] = [];
  const unreachable: string[] = [];
  for (const account of accounts.filter(({ status }) => status === "active")) {
    const owner = accounts.length === 1 ? "" : ` of ${account.name}`;
    const contacts = await store.contacts.list(account.id);
    const lost = contacts.filter(({ addresses }) => !addresses.some(isTurnedOn));
    unreachable.push(...lost.map(({ id, name }) => `${JSON.stringify(name || id)}${owner}`));
    const reasonOf = createReasons(store, account, contacts);
    for await (const page of store.checks.list(account.id))
      for (const { check } of page) {
        if (!check.enabled || check.disabledWithAll) continue;
        const reason = await reasonOf(check);
        if (reason !== undefined)
          alertingNobody.push(`${JSON.stringify(check.label || check.id)}${owner} (${reason})`);
      }
  }
  return {
    checksAlertingNobody: toListed(alertingNobody),
    unreachableContacts: toListed(unreachable),
    failingAlerts: await failingAlerts(
      store,
      accounts.map(({ id }) => id),
      now,
    ),
  };
}

/** Returns the reason why nobody is alerted of a check; undefined if someone is. */
function createReasons(
  store: Examined,
  account: Account,
  contacts: readonly Contact[],
): (check: Check) => Promise<string | undefined> {
  const reached = new Set(
    contacts.flatMap(({ id: contactId, addresses }) =>
      addresses
        .filter((address) => isTurnedOn(address) && !address.suppress.down)
        .map(({ id }) => `${contactId} ${id}`),
    ),
  );
  const look = async (check: Check): Promise<string | undefined> => {
    if (account.suppressAll === true) return "the account suppresses all alerts";
    const { found } = await recipientsOf(store, check);
    if (found.some(({ contactId, addressId }) => reached.has(`${contactId} ${addressId}`)))
      return undefined;
    if (found.length > 0) return "every address it names is off, muted or not confirmed";
    const names = [check.notifications, account.defaultNotifications].some(
      (notifications) => subscriptionsOf(notifications).length > 0,
    );
    return names ? "whom it names has no address" : "neither it nor the account names anybody";
  };
  // Most checks of an account name the same.
  const known = new Map<string, Promise<string | undefined>>();
  return (check) => {
    const key = JSON.stringify(check.notifications);
    const reason = known.get(key) ?? look(check);
    known.set(key, reason);
    return reason;
  };
}

function isTurnedOn({ status, confirmed, suppress, mute }: Address): boolean {
  return status !== "disabled" && confirmed && !suppress.all && mute !== true;
}

async function failingAlerts(
  { alerts }: Pick<Reads, "alerts">,
  accountIds: readonly string[],
  now: number,
): Promise<AlertingReport["failingAlerts"]> {
  if (accountIds.length === 0) return { count: 0, examples: [], oldestMs: 0 };
  const waiting = await alerts.listNotifications({
    accountIds,
    checkId: undefined,
    from: 0,
    limit: MAX_ALERTS,
    dropped: false,
    status: "waiting",
  });
  const ofReason = Map.groupBy(
    waiting,
    ({ network, response = "no answer" }) => `${network}: ${response}`,
  );
  const mostOften = [...ofReason].toSorted(([, one], [, other]) => other.length - one.length);
  return {
    count: waiting.length,
    examples: mostOften.slice(0, MAX_EXAMPLES).map(([reason]) => reason),
    oldestMs: waiting.reduce((most, { dueAt }) => Math.max(most, now - dueAt), 0),
  };
}

function toListed(all: readonly string[]): AlertingReport["checksAlertingNobody"] {
  return { count: all.length, examples: all.slice(0, MAX_EXAMPLES) };
}

import { subscriptionsOf, type Check, type Subscription } from "../../domain/check.ts";
import { gmt } from "../../domain/account/time-zone.ts";
import {
  expandContacts,
  expandGroups,
  expandProfiles,
  inWindow,
  schedulesOf,
  type Expansion,
  type Recipient,
} from "../../domain/contact/recipients.ts";
import { isAlwaysOpen, isOpen, type Schedule } from "../../domain/schedule.ts";
import type { Reads, Transaction } from "../store.ts";

/** Returns the addresses that a check's notifications refer to now, or its account's default if the check names none. */
export async function recipientsOf(
  {
    accounts,
    profiles,
    groups,
    contacts,
  }: Pick<Reads, "accounts" | "profiles" | "groups" | "contacts">,
  { accountId, notifications }: Pick<Check, "accountId" | "notifications">,
): Promise<Expansion<Recipient>> {
  const own = subscriptionsOf(notifications);
  const asked =
    own.length > 0
      ? own
      : subscriptionsOf((await accounts.find(accountId))?.defaultNotifications ?? []);
  if (asked.length === 0) return { found: [], isComplete: true };
  const ofProfiles = expandProfiles(asked, await profiles.findMany(accountId, idsIn(asked)));
  const ofGroups = expandGroups(
    ofProfiles.found,
    await groups.findMany(accountId, idsIn(ofProfiles.found)),
  );
  const ofContacts = expandContacts(
    ofGroups.found,
    await contacts.findAddresses(accountId, idsIn(ofGroups.found)),
  );
  return {
    found: ofContacts.found,
    isComplete: ofProfiles.isComplete && ofGroups.isComplete && ofContacts.isComplete,
  };
}

/** Resolves recipients with several schedules to the earliest delay that ends in an open window. */
export async function inWindows(
  { accounts, schedules }: Pick<Transaction, "accounts" | "schedules">,
  recipients: readonly Recipient[],
  { accountId, at }: { readonly accountId: string; readonly at: number },
): Promise<readonly Recipient[]> {
  const several = recipients.filter(({ others }) => others !== undefined);
  if (several.length === 0) return recipients;
  const timeZone = (await accounts.find(accountId))?.timeZone ?? gmt;
  const known = new Map<string, Schedule | undefined>();
  for (const name of new Set(several.flatMap(schedulesOf)))
    known.set(name, await schedules.find(accountId, name));
  /** A thousand recipients have few delays between them, and each look takes some µs. */
  const judged = new Map<string, boolean>();
  const isOpenAt = (name: string, then: number): boolean => {
    const schedule = isAlwaysOpen(name) ? undefined : known.get(name);
    const key = `${then} ${name}`;
    const isNow = judged.get(key) ?? (schedule === undefined || isOpen(schedule, then, timeZone));
    judged.set(key, isNow);
    return isNow;
  };
  return recipients.map((recipient) => inWindow(recipient, at, isOpenAt));
}

function idsIn(subscriptions: readonly Subscription[]): readonly string[] {
  return subscriptions.map(({ recipientId }) => recipientId);
}

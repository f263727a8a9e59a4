import { subscriptionsOf } from "../../domain/check.ts";
import type { Check, Subscription } from "../../domain/check.ts";
import { expandContacts, expandGroups, expandProfiles } from "../../domain/contact/recipients.ts";
import type { Expansion, Recipient } from "../../domain/contact/recipients.ts";
import type { Transaction } from "../store.ts";

/** The addresses that the notifications of a check stand for now, or of its account where the check names nobody. */
export async function recipientsOf(
  { accounts, profiles, groups, contacts }: Transaction,
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

function idsIn(subscriptions: readonly Subscription[]): readonly string[] {
  return subscriptions.map(({ recipientId }) => recipientId);
}

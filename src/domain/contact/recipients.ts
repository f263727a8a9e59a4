import type { Subscription } from "../check.ts";
import type { ContactGroup } from "./group.ts";
import type { Repeat } from "../reminder.ts";
import type { NotificationProfile } from "./profile.ts";

/** An address that is alerted of a flip. */
export interface Recipient {
  readonly contactId: string;
  readonly addressId: string;
  readonly schedule: string;
  readonly delayMinutes: number;
  readonly repeat?: Repeat | undefined;
}

/** An address of a contact, by its ids. */
export type AddressRef = Pick<Recipient, "contactId" | "addressId">;

/** The most addresses that are alerted of one flip, so that no flip holds up all others, or fills the disk. */
export const maxRecipients = 1000;

export interface Expansion<Item> {
  readonly found: readonly Item[];
  /** False where there are more than are alerted of one flip. */
  readonly isComplete: boolean;
}

/** Puts the subscriptions of a profile in its place, with their own schedules, their delays after that of the profile, and its reminders where they have none of their own. */
export function expandProfiles(
  subscriptions: readonly Subscription[],
  profiles: readonly NotificationProfile[],
): Expansion<Subscription> {
  const named = new Map(profiles.map((profile) => [profile.id, profile.subscriptions]));
  return soonest(
    subscriptions.values().flatMap((subscription) => {
      const later = (own: Subscription): Subscription => ({
        ...own,
        delayMinutes: subscription.delayMinutes + own.delayMinutes,
        ...withRepeat(own, subscription),
      });
      return named.get(subscription.recipientId)?.values().map(later) ?? [subscription];
    }),
    ({ recipientId }) => recipientId,
  );
}

/** Puts the members of a group in its place. */
export function expandGroups(
  subscriptions: readonly Subscription[],
  groups: readonly ContactGroup[],
): Expansion<Subscription> {
  const named = new Map(groups.map((group) => [group.id, group.members]));
  return soonest(
    subscriptions.values().flatMap((subscription) => {
      const to = (recipientId: string): Subscription => ({ ...subscription, recipientId });
      return named.get(subscription.recipientId)?.values().map(to) ?? [subscription];
    }),
    ({ recipientId }) => recipientId,
  );
}

/** Puts addresses in the place of those and of their contacts: each once and at its soonest, in the order in which they were named. */
export function expandContacts(
  subscriptions: readonly Subscription[],
  addresses: readonly AddressRef[],
): Expansion<Recipient> {
  const ofContact = Map.groupBy(addresses, ({ contactId }) => contactId);
  const ofId = Map.groupBy(addresses, ({ addressId }) => addressId);
  return soonest(
    subscriptions
      .values()
      .flatMap(({ recipientId, ...asked }) =>
        (ofContact.get(recipientId) ?? ofId.get(recipientId) ?? [])
          .values()
          .map(({ contactId, addressId }) => ({ contactId, addressId, ...asked })),
      ),
    ({ contactId, addressId }) => `${contactId} ${addressId}`,
  );
}

type Repeating = Pick<Subscription, "repeat">;

/** The reminders of the first, or of the second where that has none. */
function withRepeat(first: Repeating, second: Repeating): Repeating {
  const repeat = first.repeat ?? second.repeat;
  return repeat === undefined ? {} : { repeat };
}

/** Of those with the same key the one with the smallest delay, in the place of the first, with the reminders that any of them asks for. */
function soonest<Item extends Pick<Subscription, "delayMinutes" | "repeat">>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): Expansion<Item> {
  const found = new Map<string, Item>();
  let isComplete = true;
  for (const item of items) {
    const key = keyOf(item);
    const known = found.get(key);
    const hasRoom = known !== undefined || found.size < maxRecipients;
    isComplete &&= hasRoom;
    if (!hasRoom) continue;
    const isSooner = known === undefined || item.delayMinutes < known.delayMinutes;
    const [first, second] = isSooner ? [item, known] : [known, item];
    found.set(key, { ...first, ...withRepeat(first, second ?? {}) });
  }
  return { found: [...found.values()], isComplete };
}

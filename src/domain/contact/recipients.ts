import type { Subscription } from "../check.ts";
import type { ContactGroup } from "./group.ts";
import type { Repeat } from "../alert/reminder.ts";
import { isAlwaysOpen } from "../schedule.ts";
import type { NotificationProfile } from "./profile.ts";

/** Windows and delay with which an address is alerted. */
export interface Timing {
  readonly schedule: string;
  readonly delayMinutes: number;
}

/** An address named several times has its earliest timing, with the other timings in `others` unless the earliest is always open. */
interface Timed extends Timing {
  readonly repeat?: Repeat | undefined;
  readonly others?: readonly Timing[];
}

/** An address that is alerted of a flip. */
export interface Recipient extends Timed {
  readonly contactId: string;
  readonly addressId: string;
}

interface Asked extends Subscription, Timed {}

/** An address of a contact, by its ids. */
export type AddressRef = Pick<Recipient, "contactId" | "addressId">;

/** The most addresses that are alerted of one flip, so that no flip holds up all others, or fills the disk. */
export const maxRecipients = 1000;

/** Maximum timings of one address, above any practical number. */
const MAX_OTHERS = 50;
const MINUTE_MS = 60_000;

export interface Expansion<Item> {
  readonly found: readonly Item[];
  /** False if the maximum of recipients for one flip was exceeded. */
  readonly isComplete: boolean;
}

/**
 * Replaces a profile with its subscriptions: they keep their schedules, their delays are added to the profile's, and they inherit its reminders if they have
 * none.
 */
export function expandProfiles(
  subscriptions: readonly Subscription[],
  profiles: readonly NotificationProfile[],
): Expansion<Asked> {
  const named = new Map(profiles.map((profile) => [profile.id, profile.subscriptions]));
  return soonest(
    subscriptions.values().flatMap((subscription) => {
      const later = (own: Subscription): Asked => ({
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
  subscriptions: readonly Asked[],
  groups: readonly ContactGroup[],
): Expansion<Asked> {
  const named = new Map(groups.map((group) => [group.id, group.members]));
  return soonest(
    subscriptions.values().flatMap((subscription) => {
      const to = (recipientId: string): Asked => ({ ...subscription, recipientId });
      return named.get(subscription.recipientId)?.values().map(to) ?? [subscription];
    }),
    ({ recipientId }) => recipientId,
  );
}

/** Puts addresses in the place of those and of their contacts: each once and at its soonest, in the order in which they were named. */
export function expandContacts(
  subscriptions: readonly Asked[],
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

/** Returns the recipient with its earliest delay that ends in an open window of the same schedule; with its smallest delay if none does. */
export function inWindow(
  recipient: Recipient,
  at: number,
  isOpen: (schedule: string, at: number) => boolean,
): Recipient {
  const { others = [], schedule, delayMinutes } = recipient;
  if (others.length === 0) return recipient;
  const open = [{ schedule, delayMinutes }, ...others]
    .toSorted((one, other) => one.delayMinutes - other.delayMinutes)
    .find((each) => isOpen(each.schedule, at + each.delayMinutes * MINUTE_MS));
  return { ...recipient, delayMinutes: open?.delayMinutes ?? delayMinutes };
}

/** The names of all its schedules. */
export function schedulesOf({
  schedule,
  others = [],
}: Pick<Timed, "schedule" | "others">): readonly string[] {
  return [...new Set([schedule, ...others.map((other) => other.schedule)])];
}

type Repeating = Pick<Timed, "repeat">;

/** Returns the reminders of the first, or of the second if the first has none. */
function withRepeat(first: Repeating, second: Repeating): Repeating {
  const repeat = first.repeat ?? second.repeat;
  return repeat === undefined ? {} : { repeat };
}

/** All ways of both but the first one, each once. */
function withOthers(first: Timed, second: Timed): Pick<Timed, "others"> {
  if (isAlwaysOpen(first.schedule)) return {};
  const { others: ofFirst = [], schedule, delayMinutes } = first;
  const { others: ofSecond = [], ...way } = second;
  const others = new Map(
    [...ofFirst, { schedule: way.schedule, delayMinutes: way.delayMinutes }, ...ofSecond].map(
      (other) => [keyOfTiming(other), other],
    ),
  );
  others.delete(keyOfTiming({ schedule, delayMinutes }));
  return others.size === 0 ? {} : { others: [...others.values()].slice(0, MAX_OTHERS) };
}

function keyOfTiming({ schedule, delayMinutes }: Timing): string {
  return `${delayMinutes} ${schedule}`;
}

/** Merges items with the same key into the one with the smallest delay, at the position of the first, with the schedules of all and any requested reminders. */
function soonest<Item extends Timed>(
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
    found.set(key, known === undefined ? item : merged(known, item));
  }
  return { found: [...found.values()], isComplete };
}

function merged<Item extends Timed>(known: Item, item: Item): Item {
  const isSooner = item.delayMinutes < known.delayMinutes;
  const [first, second] = isSooner ? [item, known] : [known, item];
  const { others: _, ...rest } = first;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the first, but for what both have
  return { ...rest, ...withRepeat(first, second), ...withOthers(first, second) } as Item;
}

import { subscriptionsOf } from "../domain/check.ts";
import type { Check } from "../domain/check.ts";
import { isAlwaysOpen } from "../domain/schedule.ts";
import { InvalidInput } from "../kit/errors.ts";
import { isRecord } from "../kit/safe-json.ts";
import type { Transaction } from "../store/store.ts";
import { parseInteger, readJsonText } from "./fields.ts";

type Entry = Check["notifications"][number];

const LONGEST_DELAY_MINUTES = 43_200;

/** Reads the parameter in all its forms: a list of objects, one object, the JSON text of either; undefined where it is none. */
export function parseNotifications(value: unknown): readonly Entry[] | undefined {
  const sent = readJsonText(value);
  if (Array.isArray(sent))
    return sent.every(isRecord)
      ? sent.map(parseEntry).filter((entry) => Object.keys(entry).length > 0)
      : undefined;
  if (!isRecord(sent)) return undefined;
  const values = Object.values(sent);
  // PHP makes an object of a list with a gap: numbers to entries.
  const isGappedList =
    values.length > 0 &&
    Object.keys(sent).every((key) => /^\d{1,5}$/.test(key)) &&
    values.every(isRecord);
  return isGappedList
    ? parseNotifications(values)
    : Object.entries(sent).map(([id, wish]) => parseEntry({ [id]: wish }));
}

function parseEntry(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).map(([id, wish]) => [id, parseWish(id, wish)]));
}

/** A schedule's name stays as it was sent; an object gets both of its members. */
function parseWish(id: string, wish: unknown): unknown {
  if (typeof wish === "string") return wish === "" ? "All" : wish;
  if (!isRecord(wish))
    throw new InvalidInput(
      `must be a schedule, or an object of schedule and delay ${JSON.stringify(id)}`,
    );
  const schedule = wish.schedule ?? "All";
  if (typeof schedule !== "string")
    throw new InvalidInput(`schedule must be text ${JSON.stringify(id)}`);
  const delay = wish.delay === "" ? 0 : parseInteger(wish.delay ?? 0);
  if (delay === undefined || delay < 0 || delay > LONGEST_DELAY_MINUTES) {
    throw new InvalidInput(
      `delay must be minutes from 0 to ${LONGEST_DELAY_MINUTES} ${JSON.stringify(id)}`,
    );
  }
  return { delay, schedule: schedule === "" ? "All" : schedule };
}

/** Stands where a schedule's name does, and takes the recipient from the check. */
export function meansNever(schedule: string): boolean {
  return schedule.toLowerCase() === "none";
}

/** The list as it becomes: what was sent replaces it, without those set to None; where all are, they leave the list it was. */
export function mergeNotifications(
  known: readonly Entry[],
  sent: readonly Entry[] | undefined,
): readonly Entry[] {
  if (sent === undefined) return known;
  const removed = new Set(
    subscriptionsOf(sent)
      .filter(({ schedule }) => meansNever(schedule))
      .map(({ recipientId }) => recipientId),
  );
  const isOnlyRemoval =
    removed.size > 0 && subscriptionsOf(sent).every(({ recipientId }) => removed.has(recipientId));
  return (isOnlyRemoval ? known : sent)
    .map((entry) => Object.fromEntries(Object.entries(entry).filter(([id]) => !removed.has(id))))
    .filter((entry) => Object.keys(entry).length > 0);
}

/** Refuses recipients and schedules that the account does not have. What the check has already may stay. */
export async function assertKnown(
  tx: Transaction,
  accountId: string,
  lists: { readonly known: readonly Entry[]; readonly wanted: readonly Entry[] },
): Promise<void> {
  const known = subscriptionsOf(lists.known);
  const wanted = subscriptionsOf(lists.wanted);
  const added = wanted
    .map(({ recipientId }) => recipientId)
    .filter((id) => !known.some(({ recipientId }) => recipientId === id));
  const [stranger] =
    added.length === 0 ? [] : await tx.contacts.unknown(accountId, [...new Set(added)]);
  if (stranger !== undefined)
    throw new InvalidInput(`notifications: no such contact or address ${JSON.stringify(stranger)}`);
  for (const name of new Set(wanted.map(({ schedule }) => schedule))) {
    const isKnown = isAlwaysOpen(name) || known.some(({ schedule }) => schedule === name);
    if (!isKnown && (await tx.schedules.find(accountId, name)) === undefined) {
      throw new InvalidInput(`notifications: no such schedule ${JSON.stringify(name)}`);
    }
  }
}

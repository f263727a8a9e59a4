import { subscriptionsOf } from "../../../domain/check.ts";
import type { Check, Subscription } from "../../../domain/check.ts";
import { isAlwaysOpen, longestScheduleName } from "../../../domain/schedule.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { defaultLimits, isRecord } from "../../../kit/safe-json.ts";
import type { Transaction } from "../../../store/store.ts";
import { readJsonText } from "../../../schema/json-values.ts";
import { longestId } from "../identifiers.ts";
import { parseInteger } from "../../../schema/scalars.ts";
import type { JsonSchema } from "../../../schema/field.ts";

type Entry = Check["notifications"][number];

const LONGEST_DELAY_MINUTES = 43_200;
const MOST_RECIPIENTS = 1000;

const schedule: JsonSchema = { type: "string", maxLength: longestScheduleName };
const delay: JsonSchema = {
  type: ["integer", "string"],
  minimum: 0,
  maximum: LONGEST_DELAY_MINUTES,
  pattern: "^ *\\d* *$",
};

/** The notations of a recipient with its schedule and delay. */
export const notificationsJsonSchema: JsonSchema = {
  type: "array",
  // Of these some may be empty.
  maxItems: defaultLimits.keys,
  items: {
    type: "object",
    maxProperties: MOST_RECIPIENTS,
    additionalProperties: {
      anyOf: [schedule, { type: "object", properties: { schedule, delay } }],
    },
  },
};

/** Parses a list of objects, one object, or the JSON text of either; undefined for anything else. */
export function parseNotifications(value: unknown): readonly Entry[] | undefined {
  const entries = parseEntries(readJsonText(value));
  if (entries !== undefined && subscriptionsOf(entries).length > MOST_RECIPIENTS)
    throw new InvalidInput(`must name at most ${MOST_RECIPIENTS} recipients`);
  return entries;
}

function parseEntries(sent: unknown): readonly Entry[] | undefined {
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
    ? parseEntries(values)
    : Object.entries(sent).map(([id, value]) => parseEntry({ [id]: value }));
}

function parseEntry(entry: Entry): Entry {
  return Object.fromEntries(
    Object.entries(entry).map(([id, value]) => [id, parseRecipient(id, value)]),
  );
}

/** The name of a schedule stays as it was sent; an object gets both of its members. */
function parseRecipient(id: string, value: unknown): unknown {
  if (id.length > longestId)
    throw new InvalidInput(`recipients have ids of at most ${longestId} characters`);
  if (typeof value === "string") return value === "" ? "All" : scheduleName(value, id);
  if (!isRecord(value))
    throw new InvalidInput(
      `must be a schedule, or an object of schedule and delay ${JSON.stringify(id)}`,
    );
  const schedule = value.schedule ?? "All";
  if (typeof schedule !== "string")
    throw new InvalidInput(`schedule must be text ${JSON.stringify(id)}`);
  const delay = value.delay === "" ? 0 : parseInteger(value.delay ?? 0);
  if (delay === undefined || delay < 0 || delay > LONGEST_DELAY_MINUTES) {
    throw new InvalidInput(
      `delay must be minutes from 0 to ${LONGEST_DELAY_MINUTES} ${JSON.stringify(id)}`,
    );
  }
  return { delay, schedule: schedule === "" ? "All" : scheduleName(schedule, id) };
}

function scheduleName(name: string, id: string): string {
  if (name.length <= longestScheduleName) return name;
  throw new InvalidInput(
    `schedule must have at most ${longestScheduleName} characters ${JSON.stringify(id)}`,
  );
}

/** Whether the name in place of a schedule removes the recipient from the check. */
export function isRemoval(schedule: string): boolean {
  return schedule.toLowerCase() === "none";
}

/** The list that was sent replaces the known one, without recipients set to None. A list of nothing but those removes them from the known one. */
export function mergeNotifications(
  known: readonly Entry[],
  sent: readonly Entry[] | undefined,
): readonly Entry[] {
  if (sent === undefined) return known;
  const removed = new Set(
    subscriptionsOf(sent)
      .filter(({ schedule }) => isRemoval(schedule))
      .map(({ recipientId }) => recipientId),
  );
  const isOnlyRemoval =
    removed.size > 0 && subscriptionsOf(sent).every(({ recipientId }) => removed.has(recipientId));
  return (isOnlyRemoval ? known : sent)
    .map((entry) => Object.fromEntries(Object.entries(entry).filter(([id]) => !removed.has(id))))
    .filter((entry) => Object.keys(entry).length > 0);
}

interface Subscribing {
  readonly known: readonly Subscription[];
  readonly wanted: readonly Subscription[];
  /** A profile must not name profiles, so that none can contain itself. */
  readonly mayNameProfiles?: boolean;
}

/** Refuses recipients and schedules that the account does not have. Known ones are accepted even if they were deleted since. */
export async function assertRecipientsExist(
  tx: Transaction,
  accountId: string,
  { known, wanted, mayNameProfiles = true }: Subscribing,
): Promise<void> {
  const added = namesIn(wanted, "recipientId").difference(namesIn(known, "recipientId"));
  const others = added.size === 0 ? [] : await tx.contacts.missingIds(accountId, [...added]);
  const groups = await tx.groups.findMany(accountId, others);
  const profiles = mayNameProfiles ? await tx.profiles.findMany(accountId, others) : [];
  const named = new Set([...groups, ...profiles].map(({ id }) => id));
  const unknownId = others.find((id) => !named.has(id));
  if (unknownId !== undefined) {
    const kinds = mayNameProfiles
      ? "contact, address, group or profile"
      : "contact, address or group";
    throw new InvalidInput(`notifications: no such ${kinds} ${JSON.stringify(unknownId)}`);
  }
  for (const name of namesIn(wanted, "schedule").difference(namesIn(known, "schedule"))) {
    if (!isAlwaysOpen(name) && (await tx.schedules.find(accountId, name)) === undefined)
      throw new InvalidInput(`notifications: no such schedule ${JSON.stringify(name)}`);
  }
}

function namesIn(
  subscriptions: readonly Subscription[],
  member: "recipientId" | "schedule",
): ReadonlySet<string> {
  return new Set(subscriptions.map((subscription) => subscription[member]));
}

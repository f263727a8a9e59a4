import { subscriptionsOf, type Check, type Subscription } from "../../../domain/check.ts";
import { maxReminders } from "../../../domain/alert/reminder.ts";
import { isAlwaysOpen, maxScheduleNameLength } from "../../../domain/schedule.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { defaultLimits, isRecord } from "../../../kit/safe-json.ts";
import type { Transaction } from "../../../store/store.ts";
import { readJsonText } from "../../../schema/json-values.ts";
import type { Call } from "../../http/auth.ts";
import { objectTo } from "../../http/compatibility.ts";
import { maxIdLength } from "../identifiers.ts";
import { parseInteger } from "../../../schema/scalars.ts";
import { field, type JsonSchema } from "../../../schema/field.ts";

type Entry = Check["notifications"][number];

const MAX_DELAY_MINUTES = 43_200;
/** A day. */
const MAX_REPEAT_MINUTES = 1440;
const MAX_RECIPIENTS = 1000;

const schedule: JsonSchema = { type: "string", maxLength: maxScheduleNameLength };
const delay = minutesUpTo(MAX_DELAY_MINUTES);

function minutesUpTo(maximum: number): JsonSchema {
  return { type: ["integer", "string"], minimum: 0, maximum, pattern: "^ *(?:\\d+(?:\\.0+)?)? *$" };
}

/** The notations of a recipient with its schedule and delay. */
const notificationsJsonSchema: JsonSchema = {
  type: "array",
  // Some of these may be empty.
  maxItems: defaultLimits.keys,
  items: {
    type: "object",
    maxProperties: MAX_RECIPIENTS,
    additionalProperties: {
      anyOf: [
        schedule,
        {
          type: "object",
          properties: {
            schedule,
            delay,
            repeat: minutesUpTo(MAX_REPEAT_MINUTES),
            repeatcount: minutesUpTo(maxReminders),
            repeatuntil: minutesUpTo(MAX_DELAY_MINUTES),
          },
        },
      ],
    },
  },
};

/** Recipients with their schedules and delays. */
export const notifications = field({
  expected: "must be a list of objects of recipient to schedule",
  jsonSchema: notificationsJsonSchema,
  parse: parseNotifications,
});

/** Parses a list of objects, one object, or the JSON text of either; undefined for anything else. */
export function parseNotifications(value: unknown): readonly Entry[] | undefined {
  const entries = parseEntries(readJsonText(value));
  if (entries !== undefined && subscriptionsOf(entries).length > MAX_RECIPIENTS)
    throw new InvalidInput(`must name at most ${MAX_RECIPIENTS} recipients`);
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

/** The name of a schedule stays as it was sent; an object gets its schedule and delay, and its reminders where it asks for any. */
function parseRecipient(id: string, value: unknown): unknown {
  if (id.length > maxIdLength)
    throw new InvalidInput(`recipients have ids of at most ${maxIdLength} characters`);
  if (typeof value === "string") return value === "" ? "All" : scheduleName(value, id);
  if (!isRecord(value))
    throw new InvalidInput(
      `must be a schedule, or an object of schedule and delay ${JSON.stringify(id)}`,
    );
  const schedule = value.schedule ?? "All";
  if (typeof schedule !== "string")
    throw new InvalidInput(`schedule must be text ${JSON.stringify(id)}`);
  const delay = numberIn(value.delay, { name: "delay", most: MAX_DELAY_MINUTES, id }) ?? 0;
  const named = schedule === "" ? "All" : scheduleName(schedule, id);
  return { delay, schedule: named, ...parseRepeat(value, id) };
}

/** 0, empty text, and false mean none. An end without reminders is rejected, because its sender wants reminders. */
function parseRepeat(value: Readonly<Record<string, unknown>>, id: string): Entry {
  const read = (name: string, most: number): number | undefined =>
    numberIn(value[name] === false ? 0 : value[name], { name, most, id }) || undefined;
  const repeat = read("repeat", MAX_REPEAT_MINUTES);
  const repeatcount = read("repeatcount", maxReminders);
  const repeatuntil = read("repeatuntil", MAX_DELAY_MINUTES);
  if (repeat === undefined && (repeatcount ?? repeatuntil) !== undefined)
    throw new InvalidInput(
      `repeat must be the minutes between two reminders where repeatcount or repeatuntil is given ${JSON.stringify(id)}`,
    );
  if (repeat !== undefined && repeatuntil !== undefined && repeatuntil < repeat)
    throw new InvalidInput(
      `repeatuntil must be at least as many minutes as repeat ${JSON.stringify(id)}`,
    );
  return {
    ...(repeat !== undefined && { repeat }),
    ...(repeatcount !== undefined && { repeatcount }),
    ...(repeatuntil !== undefined && { repeatuntil }),
  };
}

/** Undefined if it is missing or empty. */
function numberIn(
  sent: unknown,
  { name, most, id }: { readonly name: string; readonly most: number; readonly id: string },
): number | undefined {
  if (sent === undefined || sent === null || sent === "") return undefined;
  const number = parseInteger(sent);
  if (number !== undefined && number >= 0 && number <= most) return number;
  const what = name === "repeatcount" ? "a number" : "minutes";
  throw new InvalidInput(`${name} must be ${what} from 0 to ${most} ${JSON.stringify(id)}`);
}

function scheduleName(name: string, id: string): string {
  if (name.length <= maxScheduleNameLength) return name;
  throw new InvalidInput(
    `schedule must have at most ${maxScheduleNameLength} characters ${JSON.stringify(id)}`,
  );
}

/** The ids of those who are alerted, for the audit log. */
export function recipientIds(subscriptions: readonly Subscription[]): readonly string[] {
  return subscriptions.map(({ recipientId }) => recipientId);
}

/** Returns whether the name in place of a schedule removes the recipient from the check. */
export function isRemoval(schedule: string): boolean {
  return schedule.toLowerCase() === "none";
}

/** Replaces the known list by the sent one, without recipients set to None. A list of only such recipients removes them from the known one. */
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
  /** A profile must not name profiles, so that none contains itself. */
  readonly mayNameProfiles?: boolean;
  /** The parameter that they were sent in. */
  readonly parameter?: string;
  readonly call: Pick<Call, "compatibility" | "warn">;
}

/** Objects to recipients and schedules that the account does not have. Known ones are accepted even if they were deleted since. */
export async function assertRecipientsExist(
  tx: Transaction,
  accountId: string,
  { known, wanted, mayNameProfiles = true, parameter = "notifications", call }: Subscribing,
): Promise<void> {
  const added = namesIn(wanted, "recipientId").difference(namesIn(known, "recipientId"));
  const others = added.size === 0 ? [] : await tx.contacts.missingIds(accountId, [...added]);
  const groups = await tx.groups.findMany(accountId, others);
  const profiles = mayNameProfiles ? await tx.profiles.findMany(accountId, others) : [];
  const named = new Set([...groups, ...profiles].map(({ id }) => id));
  const kinds = mayNameProfiles
    ? "contact, address, group or profile"
    : "contact, address or group";
  for (const unknownId of others.filter(
    /* guard: recipients of others = () => false */ (id) => !named.has(id),
  ))
    objectTo(`${parameter}: no such ${kinds} ${JSON.stringify(unknownId)}`, call);
  for (const name of namesIn(wanted, "schedule").difference(namesIn(known, "schedule"))) {
    if (!isAlwaysOpen(name) && (await tx.schedules.find(accountId, name)) === undefined)
      objectTo(`${parameter}: no such schedule ${JSON.stringify(name)}`, call);
  }
}

function namesIn(
  subscriptions: readonly Subscription[],
  member: "recipientId" | "schedule",
): ReadonlySet<string> {
  return new Set(subscriptions.map((subscription) => subscription[member]));
}

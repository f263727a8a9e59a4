import { parseMailbox } from "../../../channels/mail/mailbox.ts";
import { offsetIn } from "../../../domain/account/time-zone.ts";
import { regionCodes } from "../../../domain/location.ts";
import { defaultRecheckWait, MAX_RECHECK_WAIT } from "../../../domain/run/recheck-wait.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { field, required } from "../../../schema/field.ts";
import { parseList } from "../../../schema/json-values.ts";
import { choice, flag, integer, text } from "../../../schema/scalars.ts";
import { parseTimeZone } from "../../../schema/time-zone.ts";
import { notifications } from "../checks/subscriptions.ts";
import { id } from "../identifiers.ts";

const name = text(255).describe("The name for people");

/** Accepts any value: one that is no time zone is refused by `timeZoneOf`, with the sentence that clients know. */
const timezone = field({
  expected: "must be a time zone",
  jsonSchema: { type: ["number", "string"], minimum: -12, maximum: 14 },
  parse: (value) => (typeof value === "string" || typeof value === "number" ? `${value}` : ""),
  ifLarger: "",
}).describe(
  "An IANA name such as `Europe/Berlin`, or hours ahead of GMT in quarters, such as `-7`, `5.75` or `GMT+5.5`",
);

/** More than there are: some clients repeat them. */
const MAX_REGIONS = 100;

const location = field({
  expected: `must be one of ${regionCodes.join(", ")}, or a list of them`,
  jsonSchema: {
    type: ["string", "array"],
    maxItems: MAX_REGIONS,
    items: { type: "string", enum: [...regionCodes] },
  },
  parse: parseRegions,
}).describe(
  "The region, or a list of regions, for checks that have no `runlocations` of their own",
);

/** Maximum length of a mailbox (RFC 5321, 4.5.3.1) with surrounding spaces. */
const MAX_EMAIL_LENGTH = 320;

const email = field({
  expected: "must be one mailbox",
  jsonSchema: { type: "string", maxLength: MAX_EMAIL_LENGTH },
  parse: (value) => (typeof value === "string" ? parseMailbox(value) : undefined),
}).describe("The contact's email address, which is also the id of that address");

const autodiagnotifications = flag.describe(
  "Whether the diagnostics of its failing checks are mailed",
);

const recheckwait = integer(0, MAX_RECHECK_WAIT).describe(
  `Seconds between two rechecks of checks that have no \`recheckwait\` of their own; ${defaultRecheckWait} if it was never set`,
);

const emailme = flag.describe("Whether the account accepts mails about the service itself");

export const sameAsCustomerid = id.describe("The same as `customerid`");

export const newAccountFields = {
  name: required(name),
  contactname: required(name).describe("The name of the contact, whose role is `edit`"),
  email: required(email),
  timezone: required(timezone),
  location: required(location),
  emailme,
  autodiagnotifications,
  recheckwait,
};

export const accountFields = {
  name,
  timezone,
  location,
  autodiagnotifications,
  recheckwait,
  emailme,
  status: choice(["Active", "Suspend"]).describe(
    "Only of a subaccount: while suspended it runs no checks and sends nothing, and keeps its data",
  ),
  defaultnotifications: notifications.describe(
    "The recipients of alerts of checks that name none, in the form of the `notifications` of a check; empty for nobody",
  ),
  accountsuppressall: flag.describe("Whether alerts to all of its contacts are suppressed"),
  accountsupressall: flag.describe("The same as `accountsuppressall`, as some clients spell it"),
};

export const statusOf = { Active: "active", Suspend: "suspended" } as const;

export function timeZoneOf(timezone: string): string {
  const timeZone = parseTimeZone(timezone);
  if (timeZone === undefined) throw new InvalidInput("Invalid time zone");
  return timeZone;
}

/** The time zone after a change. Clients send whole records back, with the hours that a named zone has now: that leaves its name. */
export function changedTimeZone(known: string, timezone: string | undefined, now: number): string {
  if (timezone === undefined) return known;
  const timeZone = timeZoneOf(timezone);
  const isSentBack = Number(timezone) * HOUR_MS === offsetIn(known, now);
  return isSentBack ? known : timeZone;
}

const HOUR_MS = 3_600_000;

function parseRegions(value: unknown): readonly string[] | undefined {
  const sent = parseList(value, MAX_REGIONS) ?? [];
  const codes = sent.map((code) =>
    regionCodes.find((known) => typeof code === "string" && known === code.trim().toLowerCase()),
  );
  const known = codes.filter((code) => code !== undefined);
  return known.length === codes.length && known.length > 0 ? [...new Set(known)] : undefined;
}

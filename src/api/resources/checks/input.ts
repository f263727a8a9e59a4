import { checkTypes, parametersOfTypes } from "../../../checks/registry.ts";
import { defaultIntervalMinutes, defaultTimeoutSeconds } from "../../../domain/check.ts";
import { flagJsonSchema, parseFlag } from "../../../kit/flag.ts";
import { notificationsJsonSchema, parseNotifications } from "./subscriptions.ts";
import { field, flag, integer, parseList, text } from "../../../schema/field.ts";
import type { Field, JsonSchema } from "../../../schema/field.ts";
import { mute } from "../../../schema/mute.ts";
import type { RawValues } from "../../http/parse-request.ts";

export const maxLabelLength = 1000;
const LONGEST_INTERVAL_MINUTES = 525_600;
const LONGEST_TIMEOUT_SECONDS = 90;
const MOST_RECHECKS = 20;
const MOST_TAGS = 100;
const LONGEST_TAG = 100;
const LONGEST_DESCRIPTION = 1000;

/** `inactive` is how a record shows a check that is off, for whatever reason. */
const enabled = field({
  expected: "must be true or false",
  jsonSchema: flagJsonSchema,
  parse: (value) => (value === "inactive" ? value : parseFlag(value)),
});

/** Parameters of every check; those of its type come beside them. */
export const checkFields = {
  type: text(20)
    .meta({ enum: checkTypes.map(({ type }) => type) })
    .describe("The kind of check, in any case"),
  label: text(maxLabelLength).describe("What people call it; the target unless given"),
  interval: integer(1, LONGEST_INTERVAL_MINUTES).describe(
    `Minutes between two runs; ${defaultIntervalMinutes} unless given`,
  ),
  enabled: enabled.describe(
    "Whether it runs, which it does not unless that is sent; `active` and `inactive` are understood as well",
  ),
  enable: enabled.describe("The same as `enabled`, where that is not sent"),
  public: flag.describe("Whether its report is public; false unless given"),
  runlocations: field({
    expected: "must be a list of region or location codes",
    jsonSchema: { type: ["array", "string", "boolean"], items: { type: "string" } },
    parse: parseCodes,
    empty: [],
  }).describe(
    "Codes of regions and locations to run from, as a list or divided by commas; empty for the account's own",
  ),
  threshold: integer(1, LONGEST_TIMEOUT_SECONDS).describe(
    `Seconds until a run has failed; ${defaultTimeoutSeconds} unless given`,
  ),
  sens: integer(0, MOST_RECHECKS).describe(
    "Rechecks from other locations before the state changes; 2 unless given",
  ),
  notifications: field({
    expected: "must be a list of objects of recipient to schedule",
    jsonSchema: notificationsJsonSchema,
    parse: parseNotifications,
  }).describe(
    "Whom to tell: objects of the id of a contact, address, group or profile to a schedule, or to `{schedule, delay}` with the delay in minutes; the schedule `None` removes",
  ),
  dep: reference("must be the id of a check, or false").describe(
    "The check whose failing silences the alerts of this one",
  ),
  mute: mute.describe("Sends no alerts: for good, or until an instant"),
  autodiag: flag.describe("Whether diagnostics of a failure are mailed"),
  tags: field({
    expected: `must be a list of at most ${MOST_TAGS} texts of at most ${LONGEST_TAG} characters`,
    jsonSchema: {
      type: ["array", "string"],
      maxItems: MOST_TAGS,
      items: { type: "string", maxLength: LONGEST_TAG },
    },
    parse: parseTags,
  }).describe("Words to find it by, as a list or divided by commas; it replaces the one before"),
  description: field({
    expected: `must be text of at most ${LONGEST_DESCRIPTION} characters`,
    jsonSchema: { type: ["string", "boolean", "integer"], maxLength: LONGEST_DESCRIPTION },
    parse: parseDescription,
  }).describe("Notes of your own; empty leaves it as it is"),
  homeloc: reference("must be the code of a location, roam, or false").describe(
    "The location that runs it first where it is live and in its regions",
  ),
};

/** What is sent beside them, or inside `parameters`, for a check of some type. */
export const typeParameters: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    parametersOfTypes().map(({ name, description, forms, types }) => [
      name,
      { ...forms, description: `${description}. For ${types.join(", ")}` },
    ]),
  ),
  parameters: {
    type: "object",
    description: "Parameters of its type as the record shows them; what is sent beside it wins",
  },
};

export type CheckInput = {
  readonly [Name in keyof typeof checkFields]?: ReturnType<(typeof checkFields)[Name]["parse"]>;
} & RawValues;

/** An id or a code; null where none is wanted. */
function reference(expected: string): Field<string | null> {
  return field<string | null>({
    expected,
    jsonSchema: { type: ["string", "boolean"] },
    parse(value) {
      if (typeof value === "string") return value.trim() === "false" ? null : value.trim();
      return value === false || value === 0 ? null : undefined;
    },
    empty: null,
  });
}

function parseCodes(value: unknown): readonly string[] | undefined {
  if (value === false) return [];
  const codes = parseList(value);
  return codes?.every((code) => typeof code === "string")
    ? codes.map((code) => code.trim().toLowerCase()).filter((code) => code !== "")
    : undefined;
}

function parseTags(value: unknown): readonly string[] | undefined {
  const tags = parseList(value);
  const fits = tags?.every((tag) => typeof tag === "string" && tag.length <= LONGEST_TAG);
  if (tags === undefined || fits !== true || tags.length > MOST_TAGS) return undefined;
  return [...new Set(tags.map((tag) => String(tag).toWellFormed().trim()))].filter(
    (tag) => tag !== "",
  );
}

/** What clients send for want of a description says nothing. */
function parseDescription(value: unknown): string | undefined {
  if (value === false || value === 0) return "";
  return typeof value === "string" && value.length <= LONGEST_DESCRIPTION
    ? value.toWellFormed()
    : undefined;
}

import { z } from "zod";

import { checkTypes, parametersOfTypes } from "../../../checks/registry.ts";
import { defaultIntervalMinutes, defaultTimeoutSeconds } from "../../../domain/check.ts";
import { MAX_RECHECK_WAIT } from "../../../domain/run/recheck-wait.ts";
import { flagJsonSchema, parseFlag } from "../../../kit/flag.ts";
import { defaultLimits } from "../../../kit/safe-json.ts";
import { flagFields } from "./flags.ts";
import { schemaNameOf } from "./parameters/shown-parameters.ts";
import { notifications } from "./subscriptions.ts";
import { field, type Field, type JsonSchema } from "../../../schema/field.ts";
import { formHints } from "../../../schema/form-parameter.ts";
import { parseList } from "../../../schema/json-values.ts";
import { integer, integerSpec, text } from "../../../schema/scalars.ts";
import { mute } from "../../../schema/mute.ts";
import { isId, maxIdLength } from "../identifiers.ts";
import type { RawValues } from "../../http/parse-request.ts";
import type { Variant } from "../../operation.ts";

export const maxLabelLength = 1000;
const MAX_INTERVAL_MINUTES = 525_600;
/** Half and a quarter of a minute: the only parts of one that clients know. */
const PARTS_OF_A_MINUTE = [0.5, 0.25];
const MAX_TIMEOUT_SECONDS = 90;
const MAX_RECHECKS = 20;
const MAX_CODES = 1000;
const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 1000;
const recheckWait = integerSpec({ min: 0, max: MAX_RECHECK_WAIT }, /^ *(?:\d+(?:\.0+)?|false) *$/);

const typeNames = checkTypes.map(({ type }) => type);

/** A record shows `inactive` for a check that does not run, whatever the reason. */
const enabled = field({
  expected: "must be true or false",
  jsonSchema: flagJsonSchema,
  parse: (value) => (value === "inactive" ? value : parseFlag(value)),
});

/** In the order of the reference. */
const { public: publicField, ...furtherFlagFields } = flagFields;

/** The parameters that all check types have. */
export const checkFields = {
  type: field({
    expected: `must be one of ${typeNames.join(", ")}`,
    jsonSchema: { type: "string", enum: typeNames },
    // A word that is no type is named by `parseCheckType`.
    parse: (value) => (typeof value === "string" ? value.toWellFormed() : undefined),
  }).describe("The type of the check, in any case"),
  label: text(maxLabelLength).describe("The name for people; the target if missing"),
  interval: interval()
    .describe(`Minutes between two runs, also 0.5 and 0.25; ${defaultIntervalMinutes} if missing`)
    .register(formHints, {
      title: { en: "Interval, in minutes", de: "Intervall, in Minuten" },
      help: {
        en: "Minutes between two runs; also 0.5 and 0.25",
        de: "Minuten zwischen zwei Läufen; auch 0,5 und 0,25",
      },
      input: "number",
      suggested: 1,
    }),
  enabled: enabled.describe(
    "Whether the check runs; false if missing. `active` and `inactive` are accepted too",
  ),
  enable: enabled.describe("The same as `enabled`, which takes precedence"),
  public: publicField,
  runlocations: field({
    expected: `must be a list of at most ${MAX_CODES} region or location codes`,
    jsonSchema: {
      type: ["array", "string", "boolean"],
      maxItems: MAX_CODES,
      items: { type: "string", maxLength: maxIdLength },
    },
    parse: parseCodes,
    empty: [],
  }).describe(
    "Codes of regions and locations to run from, as a list or divided by commas; empty for those of the account",
  ),
  threshold: integer(1, MAX_TIMEOUT_SECONDS)
    .describe(`The timeout of a run in seconds; ${defaultTimeoutSeconds} if missing`)
    .register(formHints, {
      title: { en: "Timeout, in seconds", de: "Zeitlimit, in Sekunden" },
      help: {
        en: "A run that takes longer fails",
        de: "Ein Lauf, der länger dauert, schlägt fehl",
      },
      suggested: defaultTimeoutSeconds,
    }),
  sens: integer(0, MAX_RECHECKS)
    .describe("Rechecks from other locations before the state changes; 2 if missing")
    .register(formHints, {
      title: { en: "Rechecks", de: "Nachprüfungen" },
      help: {
        en: "How many more locations must agree before the state changes",
        de: "Wie viele weitere Standorte zustimmen müssen, bevor sich der Zustand ändert",
      },
      suggested: 2,
    }),
  recheckwait: field<number | null>({
    ...recheckWait,
    expected: `${recheckWait.expected}, or false`,
    jsonSchema: { ...recheckWait.jsonSchema, type: ["integer", "string", "boolean"] },
    parse: (value) => (value === false || value === "false" ? null : recheckWait.parse(value)),
    empty: null,
  })
    .describe(
      "Seconds before each further recheck, with at most one second before the first; 0 for all at once. The waits of one tick together take at most half the interval. False for the `recheckwait` of the account",
    )
    .register(formHints, {
      title: {
        en: "Wait between rechecks, in seconds",
        de: "Wartezeit zwischen Nachprüfungen, in Sekunden",
      },
      help: {
        en: "The first recheck follows after one second, each further one after this wait. A shorter outage alerts nobody. Leave empty for the account’s wait",
        de: "Die erste Nachprüfung folgt nach einer Sekunde, jede weitere nach dieser Wartezeit. Ein kürzerer Ausfall löst keine Meldung aus. Leer gilt die Wartezeit des Kontos",
      },
      advanced: true,
    }),
  notifications: notifications.describe(
    "The recipients of alerts: objects of the id of a contact, address, group or profile to a schedule, or to `{schedule, delay, repeat, repeatcount, repeatuntil}` as in a notification profile; the schedule `None` removes a recipient",
  ),
  dep: reference("must be the id of a check, or false").describe(
    "The check that this one depends on: while it is down, alerts of this one are suppressed",
  ),
  mute: mute.describe("Mutes the alerts: for good, or until an instant in ms"),
  ...furtherFlagFields,
  tags: field({
    expected: `must be a list of at most ${MAX_TAGS} texts of at most ${MAX_TAG_LENGTH} characters`,
    jsonSchema: {
      type: ["array", "string"],
      maxItems: MAX_TAGS,
      items: { type: "string", maxLength: MAX_TAG_LENGTH },
    },
    parse: parseTags,
  }).describe("Tags, as a list or divided by commas; it replaces the previous list"),
  description: field({
    expected: `must be text of at most ${MAX_DESCRIPTION_LENGTH} characters`,
    jsonSchema: { type: ["string", "boolean", "integer"], maxLength: MAX_DESCRIPTION_LENGTH },
    parse: parseDescription,
  })
    .describe("Notes for people; empty text leaves them unchanged")
    .register(formHints, {
      title: { en: "Notes", de: "Notizen" },
      help: {
        en: "For people; they are in alerts too",
        de: "Für Menschen; sie stehen auch in Meldungen",
      },
      input: "text",
    }),
  homeloc: reference("must be the code of a location, roam, or false").describe(
    "The location at which every tick begins, where that is live and in its regions; `roam` or false for each in turn",
  ),
};

/** Minimal example of a new check. */
export const plainExample: RawValues = {
  type: checkTypes.find(({ recognition }) => recognition?.schemes?.includes("http") === true)?.type,
  target: "http://example.com/",
};

/** Parameters specific to each type. */
export const typeVariants: Readonly<Record<string, Variant>> = Object.fromEntries(
  checkTypes.map(({ type, summary, schema, example, assigned }) => {
    const own = Object.entries<z.ZodType>(schema.shape).filter(
      ([name]) => !assigned.includes(name),
    );
    const shown = Object.entries(example).filter(([name]) => !assigned.includes(name));
    return [
      type,
      {
        schemaName: `New${schemaNameOf(type)}Check`,
        summary: summary.en,
        input: z.object(Object.fromEntries(own)),
        example: Object.fromEntries(shown),
      },
    ];
  }),
);

/** Parameters of single check types, sent next to the common ones or inside `parameters`. */
export const typeParameters: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    parametersOfTypes().map(({ name, description, forms, types }) => [
      name,
      { ...forms, description: `${description}. For ${types.join(", ")}` },
    ]),
  ),
  parameters: {
    type: "object",
    maxProperties: defaultLimits.keys,
    additionalProperties: {},
    description:
      "The parameters of its type, as in the record; one that is sent beside it takes precedence",
  },
};

export type CheckInput = {
  readonly [Name in keyof typeof checkFields]?: ReturnType<(typeof checkFields)[Name]["parse"]>;
} & RawValues;

function interval(): Field<number> {
  const range = { min: 1, max: MAX_INTERVAL_MINUTES };
  const { jsonSchema, parse } = integerSpec(range, /^ *\d+(?:\.0+)? *$/);
  return field({
    expected: `must be a whole number from ${range.min} to ${range.max}, or ${PARTS_OF_A_MINUTE.join(" or ")}`,
    jsonSchema: {
      anyOf: [jsonSchema, { enum: [...PARTS_OF_A_MINUTE, ...PARTS_OF_A_MINUTE.map(String)] }],
    },
    parse(value) {
      const isNumber = typeof value === "number" || typeof value === "string";
      const part = PARTS_OF_A_MINUTE.find((each) => isNumber && Number(value) === each);
      return part ?? parse(value);
    },
  });
}

/** Schema of an ID or a code; null for none. */
function reference(expected: string): Field<string | null> {
  return field<string | null>({
    expected,
    jsonSchema: { type: ["string", "boolean"], maxLength: maxIdLength },
    parse(value) {
      if (typeof value === "string") return value.trim() === "false" ? null : value.trim();
      return value === false || value === 0 ? null : undefined;
    },
    empty: null,
  });
}

function parseCodes(value: unknown): readonly string[] | undefined {
  if (value === false) return [];
  const codes = parseList(value, MAX_CODES);
  return codes?.every(isId)
    ? codes.map((code) => code.trim().toLowerCase()).filter((code) => code !== "")
    : undefined;
}

function parseTags(value: unknown): readonly string[] | undefined {
  const tags = parseList(value, MAX_TAGS);
  const fits = tags?.every((tag) => typeof tag === "string" && tag.length <= MAX_TAG_LENGTH);
  if (tags === undefined || fits !== true) return undefined;
  return [...new Set(tags.map((tag) => String(tag).toWellFormed().trim()))].filter(
    (tag) => tag !== "",
  );
}

/** `false` and 0 are what some clients send for no description. */
function parseDescription(value: unknown): string | undefined {
  if (value === false || value === 0) return "";
  return typeof value === "string" ? value.toWellFormed() : undefined;
}

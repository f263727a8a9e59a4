import { parseInstant } from "../../schema/dates.ts";
import { field, type JsonSchema } from "../../schema/field.ts";

const instantJsonSchema: JsonSchema = { type: ["integer", "string"], minimum: 0 };
export const instant = field({
  expected: "must be ms since 1970, YYYY-MM-DD HH:MM:SS or an RFC 2822 date",
  jsonSchema: instantJsonSchema,
  parse: parseInstant,
});
export const instantOrNow = field({
  expected: "must be a date as start takes it, or now",
  jsonSchema: instantJsonSchema,
  parse: (value) => (value === "now" ? Number.MAX_SAFE_INTEGER : parseInstant(value)),
});

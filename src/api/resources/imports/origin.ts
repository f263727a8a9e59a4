import { field, required } from "../../../schema/field.ts";

const MAX_NAME_LENGTH = 300;

export const name = field({
  expected: `must be 1 to ${MAX_NAME_LENGTH} characters`,
  jsonSchema: { type: "string", minLength: 1, maxLength: MAX_NAME_LENGTH },
  parse: (value) =>
    typeof value === "string" && value !== "" && value.length <= MAX_NAME_LENGTH
      ? value.toWellFormed()
      : undefined,
});
export const origin = required(name).describe(
  "The system, and which one of several: `uptime-kuma`",
);

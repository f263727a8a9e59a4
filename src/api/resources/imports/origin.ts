import { field, required } from "../../../schema/field.ts";

const LONGEST_NAME = 300;

export const name = field({
  expected: `must be 1 to ${LONGEST_NAME} characters`,
  jsonSchema: { type: "string", minLength: 1, maxLength: LONGEST_NAME },
  parse: (value) =>
    typeof value === "string" && value !== "" && value.length <= LONGEST_NAME
      ? value.toWellFormed()
      : undefined,
});
export const origin = required(name).describe(
  "The system, and which one of several: `uptime-kuma`",
);

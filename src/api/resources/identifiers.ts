import { field } from "../../schema/field.ts";
import type { Field } from "../../schema/field.ts";
import { parseList } from "../../schema/json-values.ts";

export const id = field({
  expected: "must be one id",
  jsonSchema: { type: "string" },
  parse: (value) => (typeof value === "string" ? value.trim() : undefined),
}).describe("The id of the record");

export const customerid = id.describe(
  "The id of the subaccount; the token's own account if missing",
);

/** One id, or a list of them: repeated, as a JSON list, or divided by commas. */
export const ids = field({
  expected: "must be an id or a list of ids",
  jsonSchema: { type: ["string", "array"], items: { type: "string" } },
  parse(value): string | readonly string[] | undefined {
    if (typeof value === "string" && !/^\[|,/.test(value)) return value.trim();
    const list = parseList(value);
    return list?.every((each) => typeof each === "string") ? list : undefined;
  },
});

/** A list of distinct ids, in any notation of a list. */
export function idList(maxItems: number): Field<readonly string[]> {
  return field({
    expected: `must be a list of at most ${maxItems} ids`,
    jsonSchema: { type: ["array", "string"], maxItems, items: { type: "string" } },
    parse(value) {
      const sent = parseList(value);
      if (!sent?.every((each) => typeof each === "string")) return undefined;
      const distinct = new Set(sent.map((each) => each.trim()).filter((each) => each !== ""));
      return distinct.size > maxItems ? undefined : [...distinct];
    },
  });
}

import { field, type Field, type JsonSchema } from "../../schema/field.ts";
import { parseList } from "../../schema/json-values.ts";

/** Longer than any id: those of addresses may be mailboxes. */
export const maxIdLength = 500;
/** Equal to the maximum keys of a request. */
const MAX_IDS = 10_000;

const oneId: JsonSchema = { type: "string", maxLength: maxIdLength };

export const id = field({
  expected: `must be one id of at most ${maxIdLength} characters`,
  jsonSchema: oneId,
  parse: (value) => (typeof value === "string" ? value.trim() : undefined),
}).describe("The id of the record");

export const customerid = id.describe(
  "The id of the subaccount; the token's own account if missing",
);

/** One id, or a list of them: repeated, as a JSON list, or divided by commas. */
export const ids = field({
  expected: `must be an id or a list of at most ${MAX_IDS} ids`,
  jsonSchema: { type: ["string", "array"], maxItems: MAX_IDS, items: oneId },
  parse(value): string | readonly string[] | undefined {
    if (typeof value === "string" && !/^\[|,/.test(value))
      return isId(value) ? value.trim() : undefined;
    const list = parseList(value, MAX_IDS);
    return list?.every(isId) ? list : undefined;
  },
});

/** A list of distinct ids, in any notation of a list. */
export function idList(maxItems: number): Field<readonly string[]> {
  return field({
    expected: `must be a list of at most ${maxItems} ids`,
    jsonSchema: { type: ["array", "string"], maxItems, items: oneId },
    parse(value) {
      const sent = parseList(value, maxItems);
      if (!sent?.every(isId)) return undefined;
      const distinct = new Set(sent.map((each) => each.trim()).filter((each) => each !== ""));
      return [...distinct];
    },
  });
}

/** Returns whether it is text that may be an id. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxIdLength;
}

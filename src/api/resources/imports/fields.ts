import { InvalidInput } from "../../../kit/errors.ts";
import { record } from "../../../schema/json-values.ts";
import type { ImportedFields } from "../../../store/imports/imported-records.ts";

const MOST_FIELDS = 150;
const LONGEST_NAME = 100;
const LONGEST_DIGEST = 64;

/** The digests of an imported record. */
export const fields = record(MOST_FIELDS, {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: LONGEST_DIGEST },
  minItems: 2,
  maxItems: 2,
});

/** Throws InvalidInput where a field does not have two digests. */
export function digestsOf(
  sent: Readonly<Record<string, unknown>> | undefined,
): ImportedFields | undefined {
  if (sent === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(sent).map(([name, pair]) => {
      const [there, here, ...more]: readonly unknown[] = Array.isArray(pair) ? pair : [];
      const isPair = isDigest(there) && isDigest(here) && more.length === 0;
      if (name.length <= LONGEST_NAME && isPair) return [name, [there, here]];
      throw new InvalidInput(
        `fields: must have a list of two digests by field, each of letters, digits, hyphens and underscores ${JSON.stringify(name.slice(0, LONGEST_NAME))}`,
      );
    }),
  );
}

function isDigest(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST_DIGEST && /^[\w-]+$/.test(value);
}

import type { ManagedRecord } from "../../../domain/account/managed-configuration.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { field } from "../../../schema/field.ts";
import { parseRecord, record } from "../../../schema/json-values.ts";
import { longestId } from "../identifiers.ts";

const LONGEST_NAME = 100;
/** In one request. */
const MOST_RECORDS = 1000;
const LONGEST_KEY = 300;
const LONGEST_DIGEST = 64;

export const nameField = field({
  expected: `must be 1 to ${LONGEST_NAME} letters, digits, hyphens, dots and underscores`,
  jsonSchema: { type: "string", maxLength: LONGEST_NAME },
  parse: (value) =>
    typeof value === "string" && /^[\p{L}\p{N}_.-]+$/u.test(value) ? value : undefined,
}).describe("The name that the files give it");

export const records = record(MOST_RECORDS, {
  type: ["object", "null"],
  properties: {
    id: { type: "string", maxLength: longestId },
    digest: { type: "string", maxLength: LONGEST_DIGEST },
  },
}).describe(
  "By the section and the key in the files: `{id, digest}`, or null for one that is managed no more",
);

/** Throws InvalidInput where a record is not as it must be. */
export function recordChanges(
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ManagedRecord | null>> {
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, change(key, value)]));
}

function change(key: string, sent: unknown): ManagedRecord | null {
  if (key.length > LONGEST_KEY)
    throw new InvalidInput(`records: keys have at most ${LONGEST_KEY} characters`);
  if (sent === null) return null;
  const entry = parseRecord(sent, "records");
  const { id, digest } = entry ?? {};
  if (!isText(id, longestId) || !isText(digest, LONGEST_DIGEST))
    throw new InvalidInput(
      `records: must have objects of id and digest, or null ${JSON.stringify(key)}`,
    );
  return { id, digest };
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === "string" && value !== "" && value.length <= longest;
}

import {
  maxSections,
  maxShownChecks,
  type StatusSection,
} from "../../../domain/status/status-page.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { field, unnamed, type JsonSchema } from "../../../schema/field.ts";
import { parseList, parseRecord } from "../../../schema/json-values.ts";
import { isId, maxIdLength } from "../identifiers.ts";

const MAX_NAME_LENGTH = 200;

/** A check whose name is missing is shown by its label. */
export interface SentSection extends Pick<StatusSection, "name"> {
  readonly checks: readonly { readonly id: string; readonly name: string | undefined }[];
}

const name: JsonSchema = { type: "string", maxLength: MAX_NAME_LENGTH };

export const sections = field<readonly SentSection[]>({
  expected: `must be a list of at most ${maxSections} sections, such as [{"name":"Shop","checks":[{"id":"…","name":"Home page"}]}]`,
  jsonSchema: {
    type: "array",
    maxItems: maxSections,
    items: {
      type: "object",
      properties: {
        name,
        checks: {
          type: "array",
          maxItems: maxShownChecks,
          items: {
            type: "object",
            properties: { id: { type: "string", maxLength: maxIdLength }, name },
          },
        },
      },
    },
  },
  parse(value) {
    const sent = parseList(value, maxSections);
    const parsed = sent?.map(parseSection);
    if (parsed === undefined) return undefined;
    if (parsed.reduce((sum, { checks }) => sum + checks.length, 0) > maxShownChecks)
      throw new InvalidInput(
        `${unnamed}: must have at most ${maxShownChecks} checks, all sections together`,
      );
    return parsed;
  },
});

function parseSection(value: unknown, index: number): SentSection {
  const section = parseRecord(value);
  const checks = parseList(section?.checks ?? [], maxShownChecks);
  if (section === undefined || checks === undefined)
    throw new InvalidInput(
      `${unnamed}: the entry ${index + 1} must be an object with a list of at most ${maxShownChecks} checks`,
    );
  return {
    name: nameOf(section.name, index) ?? "",
    checks: checks.map((check) => parseCheck(check, index)),
  };
}

function parseCheck(value: unknown, index: number): SentSection["checks"][number] {
  if (typeof value === "string" && isId(value)) return { id: value.trim(), name: undefined };
  const check = parseRecord(value);
  if (check === undefined || !isId(check.id) || check.id.trim() === "")
    throw new InvalidInput(
      `${unnamed}: each check of the entry ${index + 1} must be an id, or an object with id and name`,
    );
  return { id: check.id.trim(), name: nameOf(check.name, index) };
}

function nameOf(value: unknown, index: number): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string" || value.length > MAX_NAME_LENGTH)
    throw new InvalidInput(
      `${unnamed}: names in the entry ${index + 1} must be text of at most ${MAX_NAME_LENGTH} characters`,
    );
  return value.toWellFormed().trim() || undefined;
}

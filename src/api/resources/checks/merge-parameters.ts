import type { z } from "zod";

import type { CheckType } from "../../../checks/check-type.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import { parseRecord, readJsonText } from "../../../schema/json-values.ts";
import type { RawValues } from "../../http/parse-request.ts";
import { storedType, storedValue } from "./parameters/stored-value.ts";

/** Stored for every type, even if it does not use them. */
export const commonParameters = ["contentstring", "follow", "invert", "ipv6", "port", "verify"];
const MAX_TEXT_LENGTH = 10_000;
/** Characters of JSON, of at most three bytes each: what a location is sent has at most 256 KB (`src/bus/job.ts`). */
const MAX_PARAMETERS = 65_536;

/** The parameters of a check after a write: those that were sent in place of those stored. */
export function mergeParameters(type: CheckType, stored: RawValues, sent: RawValues): RawValues {
  const merged = new Map(Object.entries(stored));
  const own: Readonly<Record<string, z.ZodType>> = type.schema.shape;
  for (const name of new Set([...Object.keys(own), ...commonParameters])) {
    const value = sent[name];
    if (value === undefined || type.assigned.includes(name)) continue;
    if (typeof value === "string" && value.length > MAX_PARAMETERS) throw tooLong(name);
    const parameter = own[name];
    if (value === "" || isNoNumber(name, parameter, value)) {
      if (mayBeEmpty(parameter)) merged.delete(name);
    } else if (parameter === undefined) {
      merged.set(name, storedValue(name, parameter, scalar(name, value)));
    } else {
      const members = membersOf(parameter, name, value);
      merged.set(
        name,
        members === undefined
          ? storedValue(name, parameter, value)
          : mergeMembers(merged.get(name), members),
      );
    }
  }
  if (type.target === "url" && merged.has("target"))
    merged.set("target", withPath(merged.get("target")));
  const parameters = Object.fromEntries(merged);
  if (JSON.stringify(parameters).length > MAX_PARAMETERS) throw tooLong(largestOf(parameters));
  return parameters;
}

function largestOf(parameters: RawValues): string {
  const lengths = Object.entries(parameters).map(
    ([name, value]) => [name, JSON.stringify(value).length] as const,
  );
  const [largest] = lengths.toSorted(([, one], [, other]) => other - one);
  return largest?.[0] ?? "parameters";
}

function tooLong(name: string): InvalidInput {
  return new InvalidInput(
    `${name}: the parameters of a check may have ${MAX_PARAMETERS} characters of JSON in all`,
  );
}

/** Some clients write `false` for no value of an optional number. */
function isNoNumber(name: string, parameter: z.ZodType | undefined, value: unknown): boolean {
  return value === false && storedType(name, parameter) === "integer" && mayBeEmpty(parameter);
}

/** Returns whether empty text removes the parameter; otherwise it is ignored. */
function mayBeEmpty(parameter: z.ZodType | undefined): boolean {
  return parameter === undefined || parameter.safeParse("").success;
}

function scalar(name: string, value: unknown): unknown {
  const isShort = typeof value === "string" && value.length <= MAX_TEXT_LENGTH;
  if (isShort || typeof value === "number" || typeof value === "boolean") return value;
  throw new InvalidInput(
    `${name}: must be text of at most ${MAX_TEXT_LENGTH} characters, a number, or true or false`,
  );
}

/** Returns the members of an object parameter, in any notation; undefined if it is not an object, or is text that the type accepts. */
function membersOf(parameter: z.ZodType, name: string, value: unknown): RawValues | undefined {
  const types = new Set([parameter.meta()?.type].flat());
  const isText = typeof value === "string" && types.has("string");
  if (!types.has("object") || isText) return undefined;
  const sent = readJsonText(value, name);
  // Brackets with the keys 0, 1 and so on make a list, and so does PHP of an object that has these.
  return Array.isArray(sent) && sent.every(isRecord)
    ? Object.fromEntries(sent.entries())
    : parseRecord(sent);
}

/** Members merge by key, and objects among them by property. Null and empty text remove a stored member. */
function mergeMembers(stored: unknown, sent: RawValues): RawValues {
  const merged = new Map(isRecord(stored) ? Object.entries(stored) : []);
  for (const [key, value] of Object.entries(sent)) {
    const known = merged.get(key);
    const removes = isRecord(stored) && (value === null || value === "");
    if (!removes) merged.set(key, isRecord(value) ? mergeProperties(known, value) : value);
    else if (value !== known) merged.delete(key);
  }
  return Object.fromEntries(merged);
}

/** For a limit, null means 0; elsewhere null and empty text are ignored. */
function mergeProperties(stored: unknown, sent: RawValues): RawValues {
  const properties = Object.entries(sent)
    .filter(([name, value]) => value !== "" && (value !== null || name === "min" || name === "max"))
    .map(([name, value]) => [name, value ?? 0]);
  return { ...(isRecord(stored) ? stored : {}), ...Object.fromEntries(properties) };
}

function withPath(target: unknown): unknown {
  return typeof target === "string" && /^https?:\/\/[^/?#\s]+$/i.test(target)
    ? `${target}/`
    : target;
}

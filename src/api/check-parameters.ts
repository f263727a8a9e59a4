import type { CheckType } from "../checks/check-type.ts";
import { InvalidInput } from "../kit/errors.ts";
import { isRecord } from "../kit/safe-json.ts";
import { parseRecord } from "./fields.ts";
import type { Values } from "./params.ts";

/** Kept for every type, also where it makes no use of them. */
export const commonParameters = ["contentstring", "follow", "invert", "ipv6", "port", "verify"];
/** Empty text takes these back; for all others it says nothing. */
const clearable = new Set(["contentstring"]);
const LONGEST_TEXT = 10_000;
/** Characters of JSON. */
const MOST_PARAMETERS = 65_536;

/** The parameters of a check after a write: what was sent over what is stored, each with the JSON type it came in. */
export function mergeParameters(type: CheckType, stored: Values, sent: Values): Values {
  const merged = new Map(Object.entries(stored));
  const own = Object.keys(type.schema.shape);
  for (const name of new Set([...own, ...commonParameters])) {
    const value = sent[name];
    if (value === undefined || type.assigned.includes(name)) continue;
    if (!own.includes(name)) assertScalar(name, value);
    if (value !== "")
      merged.set(name, name === "fields" ? mergeFields(merged.get(name), value) : value);
    else if (clearable.has(name)) merged.delete(name);
  }
  if (type.target === "url") merged.set("target", withPath(merged.get("target")));
  const parameters = Object.fromEntries(merged);
  if (JSON.stringify(parameters).length > MOST_PARAMETERS)
    throw new InvalidInput(`parameters: more than ${MOST_PARAMETERS} characters in all`);
  return parameters;
}

function assertScalar(name: string, value: unknown): void {
  const isShort = typeof value === "string" && value.length <= LONGEST_TEXT;
  if (!isShort && typeof value !== "number" && typeof value !== "boolean") {
    throw new InvalidInput(
      `${name}: must be text of at most ${LONGEST_TEXT} characters, a number, or true or false`,
    );
  }
}

/** Fields merge by key and then by property; null takes a field back, and stands for 0 as a limit. */
function mergeFields(stored: unknown, sent: unknown): Values {
  const fields = parseRecord(sent, "fields");
  if (fields === undefined) throw new InvalidInput("fields: must be an object");
  const merged = new Map(isRecord(stored) ? Object.entries(stored) : []);
  for (const [key, field] of Object.entries(fields)) {
    if (field === null) merged.delete(key);
    else merged.set(key, isRecord(field) ? mergeField(merged.get(key), field) : field);
  }
  return Object.fromEntries(merged);
}

function mergeField(stored: unknown, sent: Values): Values {
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

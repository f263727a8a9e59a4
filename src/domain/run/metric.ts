import { excessOf, type JsonLimits } from "../../kit/safe-json.ts";
import { failed, passed, type Outcome } from "./outcome.ts";

/** A number to be found at a dotted path, and the range it must be in. */
export interface MetricField {
  readonly path: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/**
 * Maximum key lookups to find all fields of a check. 100 names of ten parts take at most 5,500, and 100 names of only dots take 12,700 if nothing is found.
 * This limit takes 3 ms.
 */
// guard: lookups of metrics = 2_000_000_000
const MAX_LOOKUPS = 20_000;

interface Lookups {
  left: number;
}

/**
 * Finds the value at a dotted path: object keys and array positions joined by dots. A key may itself hold dots
 * (`diskfree./`, `a.b`): at each object the longest key that leads to a value wins. Undefined also where no lookups are left.
 */
function valueAt(data: unknown, path: string, lookups: Lookups): unknown {
  const whole = member(data, path, lookups);
  if (whole !== undefined) return whole;
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    if (lookups.left < 0) return undefined;
    const inner = member(data, path.slice(0, dot), lookups);
    if (typeof inner !== "object" || inner === null) continue;
    const found = valueAt(inner, path.slice(dot + 1), lookups);
    if (found !== undefined) return found;
  }
  return undefined;
}

function member(data: unknown, key: string, lookups: Lookups): unknown {
  lookups.left -= 1;
  if (Array.isArray(data))
    return /^(0|[1-9]\d*)$/.test(key) ? (data as unknown[])[Number(key)] : undefined;
  if (
    typeof data !== "object" ||
    data === null ||
    /* guard: own values of metrics */ !Object.hasOwn(data, key)
  )
    return undefined;
  return /* guard: own values of metrics = data[key] */ Object.getOwnPropertyDescriptor(data, key)
    ?.value;
}

/** Longer than any number that a program writes. */
export const maxNumberLength = 1000;

/** A finite number, or the text of one; anything else is no metric. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.length > maxNumberLength || value.trim() === "")
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Matches a word, a colon, and a separate number. The word starts at a word boundary so that search time stays linear. */
const PAIR =
  /(?<![^\s:,;<>"'{}])([^\s:,;<>"'{}]+)["']?\s*:\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)(?![\w:-]|[.,]\d)/gi;

/** Limits of a response that is searched for metrics: parsing this many values takes at most 16 ms; 3 MiB of them take 0.4 s. */
const RESPONSE_LIMITS: JsonLimits = { depth: 100, keys: 10_000 };
/** Searching this many characters for pairs takes at most 20 ms. */
const MAX_TEXT_LENGTH = 1_048_576;
const MAX_PAIRS = 10_000;

/** Extracts metrics from a text: its JSON, otherwise its pairs such as `load: 0.5`. Returns an error message if there are none or too many to search. */
export function metricsIn(text: string): object | string {
  // Nothing else is JSON that takes long to parse.
  const excess = /^\s*[[{]/.test(text) ? excessOf(text, RESPONSE_LIMITS) : undefined;
  if (excess !== undefined) return `No fields found in response: ${excess}`;
  const data = jsonIn(text) ?? pairsIn(text);
  if (typeof data === "string") return `No fields found in response: ${data}`;
  return Object.keys(data).length > 0 ? data : "No fields found in response";
}

/** Undefined if the text is not JSON. JSON that is not an object has no fields. */
function jsonIn(text: string): object | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null ? data : {};
  } catch {
    return undefined;
  }
}

function pairsIn(text: string): object | string {
  if (text.length > MAX_TEXT_LENGTH)
    return `longer than ${MAX_TEXT_LENGTH} characters, and not JSON`;
  const pairs: [string, string][] = [];
  for (const [, word = "", number = ""] of text.matchAll(PAIR)) {
    if (pairs.length === MAX_PAIRS) return `more than ${MAX_PAIRS} pairs`;
    pairs.push([word, number]);
  }
  return Object.fromEntries(pairs);
}

/** Passes if every field is present and in range; the message names each that is not. Undefined if there are too many keys to look up. */
export function evaluateMetrics(
  data: unknown,
  fields: readonly MetricField[],
): Outcome | undefined {
  const lookups = { left: MAX_LOOKUPS };
  const faults = fields.flatMap(({ path, min, max }) => {
    const value = parseNumber(valueAt(data, path, lookups));
    if (value === undefined) return [`${path}:absent`];
    if (min !== undefined && value < min) return [`${path}:${value} (min ${min})`];
    if (max !== undefined && value > max) return [`${path}:${value} (max ${max})`];
    return [];
  });
  if (lookups.left < 0) return undefined;
  return faults.length === 0
    ? passed("Success", "All fields within parameters")
    : failed("metric", "Failure", faults.join(". "));
}

/** Reason why no fields were found in data without an outcome of `evaluateMetrics`. */
export const tooManyLookups = `more than ${MAX_LOOKUPS} keys to look up for the fields`;

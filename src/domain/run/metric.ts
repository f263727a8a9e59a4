import { failed, passed } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";

/** A number to be found at a dotted path, and the range it must be in. */
export interface MetricField {
  readonly path: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/**
 * Finds the value at a dotted path: object keys and array positions joined by dots. A key may itself hold dots
 * (`diskfree./`, `a.b`): at each object the longest key that leads to a value wins.
 */
function valueAt(data: unknown, path: string): unknown {
  const whole = member(data, path);
  if (whole !== undefined) return whole;
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const inner = member(data, path.slice(0, dot));
    const found = inner === undefined ? undefined : valueAt(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function member(data: unknown, key: string): unknown {
  if (Array.isArray(data))
    return /^(0|[1-9]\d*)$/.test(key) ? (data as unknown[])[Number(key)] : undefined;
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, key)) return undefined;
  return Object.getOwnPropertyDescriptor(data, key)?.value;
}

/** A finite number, or the text of one; anything else is no metric. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A word, a colon, and a number with nothing that clings to it. The word begins where none goes on, so that a search takes time in proportion to the text. */
const PAIR =
  /(?<![^\s:,;<>"'{}])([^\s:,;<>"'{}]+)["']?\s*:\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)(?![\w:-]|[.,]\d)/gi;

/** What a text holds that could have metrics: its JSON, or else its pairs such as `load: 0.5`. Undefined where that is nothing. */
export function metricsIn(text: string): object | undefined {
  const data = jsonIn(text) ?? pairsIn(text);
  return typeof data === "object" && Object.keys(data).length > 0 ? data : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // then it is a text with pairs
  }
}

function pairsIn(text: string): object {
  return Object.fromEntries(
    Array.from(text.matchAll(PAIR), ([, word = "", number = ""]) => [word, number]),
  );
}

/** Passes when every field is present and in its range; the message names each that is not. */
export function evaluateMetrics(data: unknown, fields: readonly MetricField[]): Outcome {
  const faults = fields.flatMap(({ path, min, max }) => {
    const value = parseNumber(valueAt(data, path));
    if (value === undefined) return [`${path}:absent`];
    if (min !== undefined && value < min) return [`${path}:${value} (min ${min})`];
    if (max !== undefined && value > max) return [`${path}:${value} (max ${max})`];
    return [];
  });
  return faults.length === 0
    ? passed("Success", "All fields within parameters")
    : failed("metric", "Failure", faults.join(". "));
}

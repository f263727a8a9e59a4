import type { z } from "zod";

import { percentDecode } from "../../kit/http/percent-decode.ts";
import { parseJson } from "../../kit/safe-json.ts";

/** What of a parameter's value must not be told. */
const secretParameters = new WeakMap<z.core.$ZodType, (value: unknown) => readonly string[]>();

const SECRET_NAME = /auth|cookie|credential|jwt|key|pass|secret|session|signature|token/i;

/** Marks a parameter that lets somebody in: where a target repeats it, nobody is told. */
export function secret<Parameter extends z.ZodType>(parameter: Parameter): Parameter {
  secretParameters.set(parameter, (value) => [...textsOf(value), ...namedTexts(pairsOf(value))]);
  return parameter;
}

/** Marks pairs, also such that are written as a text, of which some may let somebody in, as their names say. */
export function secretPairs<Parameter extends z.ZodType>(parameter: Parameter): Parameter {
  secretParameters.set(parameter, (value) => namedTexts(pairsOf(value)));
  return parameter;
}

/** Every text that must not be told, as it is. */
export function secretValues(
  { shape }: z.ZodObject,
  parameters: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { target } = parameters;
  const url = typeof target === "string" ? URL.parse(target) : null;
  // Some services take a token for the name, and anything for the password.
  const login = url === null ? [] : [url.username, url.password].map(percentDecode);
  const marked = Object.entries(shape).flatMap(
    ([name, parameter]) => secretParameters.get(parameter)?.(parameters[name]) ?? [],
  );
  return [...new Set([...login, ...marked])].filter((text) => text !== "");
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsOf);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

/** What has a name that says so, however deep. */
function namedTexts(pairs: unknown): readonly string[] {
  if (typeof pairs !== "object" || pairs === null) return [];
  return Object.entries(pairs).flatMap(([name, value]) =>
    SECRET_NAME.test(name)
      ? textsOf(value).flatMap((text) => [text, ...partsOf(text)])
      : namedTexts(value),
  );
}

/** A scheme or names of cookies may stand before what is secret, and an answer repeat it without them. */
function partsOf(text: string): readonly string[] {
  return text.match(/[^\s",;=]{8,}/g) ?? [];
}

/** What a text holds that is JSON or a form, in which no space may be. */
function pairsOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return parseJson("pairs", value);
  } catch {
    return /[\s<>]/.test(value) ? undefined : Object.fromEntries(new URLSearchParams(value));
  }
}

import type { z } from "zod";

import { percentDecode } from "../../kit/http/percent-decode.ts";
import { parseJson } from "../../kit/safe-json.ts";

/** Finds the secret texts in the value of a parameter. */
const secretParameters = new WeakMap<z.core.$ZodType, (value: unknown) => readonly string[]>();

const SECRET_NAME = /auth|cookie|credential|jwt|key|pass|secret|session|signature|token/i;

/** Marks a parameter as a credential: it is redacted when a target repeats it. */
export function secret<Parameter extends z.ZodType>(parameter: Parameter): Parameter {
  secretParameters.set(parameter, (value) => [...textsOf(value), ...namedTexts(pairsOf(value))]);
  return parameter;
}

/** Marks name-value pairs, even as text, some of which are credentials by name. */
export function secretPairs<Parameter extends z.ZodType>(parameter: Parameter): Parameter {
  secretParameters.set(parameter, (value) => namedTexts(pairsOf(value)));
  return parameter;
}

/** Returns whether a parameter is a credential, or may hold some. */
export function isSecret(parameter: z.ZodType): boolean {
  return secretParameters.has(parameter);
}

/** Every secret text in the parameters, unencoded. */
export function secretValues(
  { shape }: Pick<z.ZodObject, "shape">,
  parameters: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { target } = parameters;
  const url = typeof target === "string" ? URL.parse(target) : null;
  // Some services take a token as the user name.
  const login = url === null ? [] : [url.username, url.password].map(percentDecode);
  const query = url === null ? [] : [...url.searchParams].flatMap(secretsOfPair);
  const marked = Object.entries(shape).flatMap(
    ([name, parameter]) => secretParameters.get(parameter)?.(parameters[name]) ?? [],
  );
  return [...new Set([...login, ...query, ...marked])].filter((text) => text !== "");
}

/** Shorter texts occur in other words by chance. */
const MIN_SENT_LENGTH = 4;

/** Every text that a check sends and that its configuration does not show to everyone: the secrets, and all values of queries, headers, forms, and messages. */
export function sentValues(
  schema: Pick<z.ZodObject, "shape">,
  parameters: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { target } = parameters;
  const url = typeof target === "string" ? URL.parse(target) : null;
  const sent = Object.entries(schema.shape)
    .filter(([, parameter]) => isSecret(parameter))
    .flatMap(([name]) => [parameters[name], pairsOf(parameters[name])])
    .flatMap(textsOf)
    // A response may repeat single lines of a key.
    .flatMap((text) => [text, ...text.split("\n")]);
  const texts = [...(url?.searchParams.values() ?? []), ...sent];
  return [
    ...new Set([
      ...secretValues(schema, parameters),
      ...texts.filter((text) => text.length >= MIN_SENT_LENGTH),
    ]),
  ];
}

/** Short names that services use for signatures and keys in a query. */
const SHORT_SECRET_NAME = /^(?:code|hmac|pin|sig)$/i;
/** Matches text that no person would write: long, without spaces, with letters and digits. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{20,}$/i;

/** A pair without a value may be a key by itself. */
function secretsOfPair([name, value]: [string, string]): readonly string[] {
  if (value === "") return RANDOM.test(name) ? [name] : [];
  const isNamed = SECRET_NAME.test(name) || SHORT_SECRET_NAME.test(name);
  return isNamed || RANDOM.test(value) ? [value, ...partsOf(value)] : [];
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsOf);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

/** The values whose names look secret, at any depth. */
function namedTexts(pairs: unknown): readonly string[] {
  if (typeof pairs !== "object" || pairs === null) return [];
  return Object.entries(pairs).flatMap(([name, value]) =>
    SECRET_NAME.test(name)
      ? textsOf(value).flatMap((text) => [text, ...partsOf(text)])
      : namedTexts(value),
  );
}

/** The parts of a value: a response may repeat a secret without the authentication scheme or cookie name before it. */
function partsOf(text: string): readonly string[] {
  return text.match(/[^\s",;=]{8,}/g) ?? [];
}

/** The pairs in a text that is JSON or a form; a form contains no white space. */
function pairsOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return parseJson("pairs", value);
  } catch {
    return /[\s<>]/.test(value) ? undefined : Object.fromEntries(new URLSearchParams(value));
  }
}

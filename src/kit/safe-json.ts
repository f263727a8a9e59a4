import { InvalidInput } from "./errors.ts";

export interface JsonLimits {
  readonly depth: number;
  readonly keys: number;
}

export const defaultLimits: JsonLimits = {
  depth: /* guard: depth of JSON = Infinity */ 20,
  keys: /* guard: keys of JSON = Infinity */ 10_000,
};

/** Names that give access to the prototype of an object. */
const refusedKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export function isPrototypeKey(key: string): boolean {
  return refusedKeys.has(key);
}

/** An object of JSON: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses untrusted JSON; throws InvalidInput that begins with `name`. The last of repeated keys counts. */
export function parseJson(name: string, text: string, limits = defaultLimits): unknown {
  const excess = excessOf(text, limits);
  if (excess !== undefined) throw new InvalidInput(`${name}: ${excess}`);
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    throw new InvalidInput(`${name}: malformed JSON`);
  }
  assertSafe(name, value, limits);
  return value;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the limit that a JSON text exceeds, without parsing it: a MiB of small objects takes 6 ms to scan and 150 ms to parse. Detects only twice the maximum
 * of keys; `assertSafe` counts them exactly.
 */
export function excessOf(text: string, { depth, keys }: JsonLimits): string | undefined {
  // Each member but the first has a comma before it, and may itself be a list or an object.
  const maxMarks = 2 * keys;
  let level = 0;
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      at = endOfString(text, at);
    } else if (character === COMMA) {
      marks += 1;
    } else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      marks += 1;
      level += 1;
      if (level > depth) return tooDeep(depth);
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) {
      level -= 1;
    }
    if (marks > maxMarks) return tooManyKeys(keys);
  }
  return undefined;
}

/** The position of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at += 1;
  }
  return text.length;
}

function tooDeep(depth: number): string {
  return `nested deeper than ${depth} levels`;
}

function tooManyKeys(keys: number): string {
  return `more than ${keys} keys`;
}

/** Throws InvalidInput if an untrusted value is too deep or too large, or has a forbidden key, number or text. */
export function assertSafe(name: string, value: unknown, limits = defaultLimits): void {
  let keys = 0;
  const inspect = (inner: unknown, depth: number): void => {
    if (typeof inner === "string") assertText(name, inner);
    if (typeof inner === "number" && /* guard: finite numbers = false */ !Number.isFinite(inner))
      throw new InvalidInput(`${name}: numbers must be finite`);
    if (typeof inner !== "object" || inner === null) return;
    if (depth === limits.depth) throw new InvalidInput(`${name}: ${tooDeep(depth)}`);
    for (const [key, member] of Object.entries(inner)) {
      keys += 1;
      if (keys > limits.keys) throw new InvalidInput(`${name}: ${tooManyKeys(limits.keys)}`);
      // guard: keys of prototypes in JSON
      if (refusedKeys.has(key))
        throw new InvalidInput(`${name}: key not allowed ${JSON.stringify(key)}`);
      assertText(name, key);
      inspect(member, depth + 1);
    }
  };
  inspect(value, 0);
}

function assertText(name: string, text: string): void {
  // guard: NUL characters
  if (text.includes("\0")) throw new InvalidInput(`${name}: text must not hold a NUL character`);
}

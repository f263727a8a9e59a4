import { InvalidInput } from "./errors.ts";

export interface JsonLimits {
  readonly depth: number;
  readonly keys: number;
}

export const defaultLimits: JsonLimits = { depth: 20, keys: 10_000 };

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
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    throw new InvalidInput(`${name}: malformed JSON`);
  }
  assertSafe(name, value, limits);
  return value;
}

/** Throws InvalidInput if an untrusted value is too deep or too large, or has a forbidden key, number or text. */
export function assertSafe(name: string, value: unknown, limits = defaultLimits): void {
  let keys = 0;
  const inspect = (inner: unknown, depth: number): void => {
    if (typeof inner === "string") assertText(name, inner);
    if (typeof inner === "number" && !Number.isFinite(inner))
      throw new InvalidInput(`${name}: numbers must be finite`);
    if (typeof inner !== "object" || inner === null) return;
    if (depth === limits.depth)
      throw new InvalidInput(`${name}: nested deeper than ${limits.depth} levels`);
    for (const [key, member] of Object.entries(inner)) {
      keys += 1;
      if (keys > limits.keys) throw new InvalidInput(`${name}: more than ${limits.keys} keys`);
      if (refusedKeys.has(key))
        throw new InvalidInput(`${name}: key not allowed ${JSON.stringify(key)}`);
      assertText(name, key);
      inspect(member, depth + 1);
    }
  };
  inspect(value, 0);
}

function assertText(name: string, text: string): void {
  if (text.includes("\0")) throw new InvalidInput(`${name}: text must not hold a NUL character`);
}

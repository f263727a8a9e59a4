import { InvalidInput } from "../../kit/errors.ts";
import { isPrototypeKey, defaultLimits } from "../../kit/safe-json.ts";

type Branch = Map<string, string | Branch>;

/**
 * Reads a query string or form. `a[b][c]=1` nests; keys that count from 0, and the empty ones of `a[]=1`, make a list;
 * so does a name that is repeated.
 */
export function parseForm(text: string): Readonly<Record<string, unknown>> {
  const root: Branch = new Map();
  let pairs = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    pairs += 1;
    if (pairs > defaultLimits.keys)
      throw new InvalidInput(`parameters: more than ${defaultLimits.keys} of them`);
    insert(root, pathOf(name), value);
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, plain(value)]));
}

function pathOf(name: string): readonly string[] {
  const bracket = name.indexOf("[");
  if (bracket < 1 || !/^(\[[^[\]]*\])+$/.test(name.slice(bracket))) return [name];
  return [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split("][")];
}

function insert(root: Branch, path: readonly string[], value: string): void {
  const [name = ""] = path;
  if (path.length > defaultLimits.depth)
    throw new InvalidInput(`${name}: nested deeper than ${defaultLimits.depth} levels`);
  let branch = root;
  for (const [depth, key] of path.entries()) {
    if (isPrototypeKey(key))
      throw new InvalidInput(`${name}: key not allowed ${JSON.stringify(key)}`);
    const step = key === "" && depth > 0 ? String(branch.size) : key;
    const known = branch.get(step);
    if (depth === path.length - 1) {
      branch.set(step, known === undefined ? value : repeated(name, known, value));
      return;
    }
    if (typeof known === "string")
      throw new InvalidInput(`${name}: given both as one value and in parts`);
    const next: Branch = known ?? new Map();
    branch.set(step, next);
    branch = next;
  }
}

function repeated(name: string, known: string | Branch, value: string): Branch {
  if (typeof known === "string")
    return new Map([
      ["0", known],
      ["1", value],
    ]);
  if (!known.has("0")) throw new InvalidInput(`${name}: given both as one value and in parts`);
  return known.set(String(known.size), value);
}

function plain(value: string | Branch): unknown {
  if (typeof value === "string") return value;
  if (isList(value))
    return [...value.keys()].map((_, index) => plain(value.get(String(index)) ?? ""));
  return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
}

function isList(branch: Branch): boolean {
  return [...branch.keys()].every((_, index) => branch.has(String(index)));
}

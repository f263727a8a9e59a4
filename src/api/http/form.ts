import { InvalidInput } from "../../kit/errors.ts";
import { formPairs } from "../../kit/http/form-pairs.ts";
import { isPrototypeKey, defaultLimits } from "../../kit/safe-json.ts";

type Branch = Map<string, string | Branch>;

/** Repeated names count each time: twice the maximum of one value, so that a maximum-size list fits. */
const MAX_KEYS = 2 * defaultLimits.keys;

/**
 * Reads a query string or form. `a[b][c]=1` nests; keys that count from 0, and the empty ones of `a[]=1`, make a list;
 * so does a name that is repeated.
 */
export function parseForm(text: string): Readonly<Record<string, unknown>> {
  const root: Branch = new Map();
  let keys = 0;
  for (const [name, value] of formPairs(text)) {
    const path = pathOf(name);
    keys += path.length;
    if (keys > MAX_KEYS) throw new InvalidInput(`parameters: more than ${MAX_KEYS} keys`);
    insert(root, path, value);
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, plain(value)]));
}

/** The keys that a name has in brackets; of a name that nests too deep only as many as show that. One with other brackets is one key. */
function pathOf(name: string): readonly string[] {
  let open = name.indexOf("[");
  if (open < 1) return [name];
  const path = [name.slice(0, open)];
  while (open < name.length && path.length <= defaultLimits.depth) {
    const close = name.indexOf("]", open);
    if (name[open] !== "[" || close === -1) return [name];
    const key = name.slice(open + 1, close);
    if (key.includes("[")) return [name];
    path.push(key);
    open = close + 1;
  }
  return path;
}

function insert(root: Branch, path: readonly string[], value: string): void {
  const [name = ""] = path;
  // guard: depth of forms
  if (path.length > defaultLimits.depth)
    throw new InvalidInput(`${name}: nested deeper than ${defaultLimits.depth} levels`);
  let branch = root;
  for (const [depth, key] of path.entries()) {
    // guard: keys of prototypes in forms
    if (isPrototypeKey(key))
      throw new InvalidInput(`${name}: key not allowed ${JSON.stringify(key)}`);
    const step = key === "" && depth > 0 ? String(branch.size) : key;
    const known = branch.get(step);
    if (depth === path.length - 1) {
      branch.set(step, known === undefined ? value : repeated(name, known, value));
      return;
    }
    // guard: one value or its parts
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

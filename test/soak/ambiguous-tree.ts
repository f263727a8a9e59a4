/** An object in which a path such as `a.a.a` may be read in ever more ways: at each level the key `a`, and the key `a.a` (2 to the power of the depth objects). */
export function ambiguousTree(depth: number): object {
  return depth === 0 ? {} : { a: ambiguousTree(depth - 1), "a.a": ambiguousTree(depth - 1) };
}

/** It leads nowhere in such a tree, which only becomes known when all ways were tried. */
export function ambiguousPath(length: number): string {
  return `${"a.".repeat(length)}b`;
}

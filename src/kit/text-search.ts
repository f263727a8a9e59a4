/** Up to this length `includes` takes at most 50 ms for 3 MiB, for any text. */
const LONGEST_SIMPLE = 100;

export function contains(text: string, wanted: string): boolean {
  if (wanted.length <= LONGEST_SIMPLE) return text.includes(wanted);
  const found = prefixMatcher(wanted);
  for (let at = 0; at < text.length; at += 1)
    if (found(text.charCodeAt(at)) === wanted.length) return true;
  return false;
}

/**
 * Reads a text character by character, and returns after each the length of the longest prefix of `wanted` that the text ends with: the whole length
 * if it was found. Takes linear time (Knuth, Morris and Pratt), where `includes` takes seconds for some long texts.
 */
export function prefixMatcher(wanted: string): (character: number) => number {
  /** For each prefix, the length of its longest proper prefix that is also its suffix. */
  const shorter = new Uint32Array(wanted.length + 1);
  const next = (length: number, character: number): number => {
    let known = length;
    while (known > 0 && wanted.charCodeAt(known) !== character) known = shorter[known] ?? 0;
    return wanted.charCodeAt(known) === character ? known + 1 : 0;
  };
  for (let at = 1; at < wanted.length; at += 1)
    shorter[at + 1] = next(shorter[at] ?? 0, wanted.charCodeAt(at));
  let found = 0;
  return (character) => (found = next(found, character));
}

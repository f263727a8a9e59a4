/** Up to this length `includes` takes at most 50 ms for 3 MiB, for any text. */
const MAX_SIMPLE_LENGTH = 100;

export function contains(text: string, wanted: string): boolean {
  // guard: linear search of texts = then
  if (wanted.length <= MAX_SIMPLE_LENGTH) return text.includes(wanted);
  const { codes, shorter } = prefixesOf(wanted);
  // A call for each character would take twice as long.
  let found = 0;
  for (let at = 0; at < text.length && found < codes.length; at += 1) {
    const character = text.charCodeAt(at);
    while (found > 0 && codes[found] !== character) found = shorter[found] ?? 0;
    if (codes[found] === character) found += 1;
  }
  return found === codes.length;
}

interface Prefixes {
  readonly codes: Uint16Array;
  /** For each prefix, the length of its longest proper prefix that is also its suffix. */
  readonly shorter: Uint32Array;
}

function prefixesOf(wanted: string): Prefixes {
  const codes = Uint16Array.from({ length: wanted.length }, (_, at) => wanted.charCodeAt(at));
  const shorter = new Uint32Array(wanted.length + 1);
  for (let at = 1; at < wanted.length; at += 1)
    shorter[at + 1] = extended({ codes, shorter }, shorter[at] ?? 0, codes[at]);
  return { codes, shorter };
}

/** The length of the prefix after one more character. */
function extended(
  { codes, shorter }: Prefixes,
  length: number,
  character: number | undefined,
): number {
  let known = length;
  while (known > 0 && codes[known] !== character) known = shorter[known] ?? 0;
  return codes[known] === character ? known + 1 : 0;
}

/**
 * Reads a text character by character, and returns after each the length of the longest prefix of `wanted` that the text ends with: the whole length
 * if it was found. Takes linear time (Knuth, Morris and Pratt), where `includes` takes seconds for some long texts.
 */
export function prefixMatcher(wanted: string): (character: number) => number {
  const prefixes = prefixesOf(wanted);
  let found = 0;
  return (character) => (found = extended(prefixes, found, character));
}

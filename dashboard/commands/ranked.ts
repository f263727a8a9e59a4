/** Highlighted part of a text: start index and end index. */
export type Span = readonly [start: number, end: number];

/** Searchable text of an item. */
export interface Searched {
  readonly name: string;
  /** Other words, such as tags. */
  readonly others?: readonly string[];
  readonly address?: string;
}

export interface Found<Item> {
  readonly item: Item;
  /** Matching parts of its name. */
  readonly marks: readonly Span[];
}

/** How well something matches: the lower, the better. */
const rank = { exact: 0, prefix: 1, wordStart: 2, inside: 3, beside: 4, inAddress: 5 } as const;

/**
 * Returns the items that match every word, best first. Digits alone match an address only if nothing matches better, because IDs and ports are full of them.
 */
export function ranked<Item>(
  items: readonly Item[],
  wanted: string,
  searchedOf: (item: Item) => Searched,
): readonly Found<Item>[] {
  const whole = wanted.trim().toLowerCase();
  if (whole === "") return items.map((item) => ({ item, marks: [] }));
  const words = whole.split(/\s+/);
  const found = items.flatMap((item) => {
    const searched = searchedOf(item);
    const place = rankOf(searched, whole, words);
    return place === undefined ? [] : [{ item, marks: marksIn(searched.name, words), place }];
  });
  const isNumber = words.some((word) => /^\d+$/.test(word));
  const isBetter = isNumber && found.some(({ place }) => place < rank.inAddress);
  return found
    .filter(({ place }) => !isBetter || place < rank.inAddress)
    .toSorted((one, other) => one.place - other.place);
}

/** Returns the rank of the word that matches worst. */
function rankOf(searched: Searched, whole: string, words: readonly string[]): number | undefined {
  const name = searched.name.toLowerCase();
  if (name === whole) return rank.exact;
  if (name.startsWith(whole)) return rank.prefix;
  let worst = 0;
  for (const word of words) {
    const own = rankOfWord(searched, name, word);
    if (own === undefined) return undefined;
    worst = Math.max(worst, own);
  }
  return worst;
}

function rankOfWord(
  { others = [], address = "" }: Searched,
  name: string,
  word: string,
): number | undefined {
  if (wordStart(name, word) !== -1) return rank.wordStart;
  if (name.includes(word)) return rank.inside;
  if (others.some((other) => other.toLowerCase().includes(word))) return rank.beside;
  return address.toLowerCase().includes(word) ? rank.inAddress : undefined;
}

/** Returns the index of a word that starts with these letters; -1 if there is none. */
function wordStart(text: string, letters: string): number {
  let at = text.indexOf(letters);
  while (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) at = text.indexOf(letters, at + 1);
  return at;
}

function marksIn(name: string, words: readonly string[]): readonly Span[] {
  const text = name.toLowerCase();
  // Some letters are longer in lower case.
  if (text.length !== name.length) return [];
  const spans = words
    .map((word): Span => {
      const at = wordStart(text, word);
      const start = at === -1 ? text.indexOf(word) : at;
      return [start, start + word.length];
    })
    .filter(([start]) => start !== -1)
    .toSorted(([one], [other]) => one - other);
  const joined: Span[] = [];
  for (const [start, end] of spans) {
    const last = joined.at(-1);
    if (last === undefined || last[1] < start) joined.push([start, end]);
    else joined[joined.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return joined;
}

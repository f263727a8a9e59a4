/** Returns the items whose text contains all words, ignoring case. */
export function foundAmong<Item>(
  items: readonly Item[],
  wanted: string,
  wordsOf: (item: Item) => string,
): readonly Item[] {
  const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return items;
  return items.filter((item) => {
    const words = wordsOf(item).toLowerCase();
    return parts.every((part) => words.includes(part));
  });
}

/** Those of the items whose words have all of the wanted ones, in any case. */
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

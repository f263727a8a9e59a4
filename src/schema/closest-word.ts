/** Longer words are nobody's slip of a key, and would take long to compare. */
const MAX_LENGTH = 64;

/** The word that was probably meant: the one that takes the fewest slips of a key to become `typed`, at most one in three of its letters. */
export function closestWord(typed: string, words: Iterable<string>): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined;
  let closest: string | undefined;
  let fewest = Infinity;
  for (const word of words) {
    const slips = slipsBetween(typed.toLowerCase(), word.toLowerCase());
    if (slips < fewest && slips <= Math.max(typed.length, word.length) / 3) {
      closest = word;
      fewest = slips;
    }
  }
  return closest;
}

/** Returns likely intended words, best first: those with the fewest typos, then those that contain `typed`. */
export function closestWords(
  typed: string,
  words: Iterable<string>,
  most: number,
): readonly string[] {
  if (typed.length > MAX_LENGTH) return [];
  const lower = typed.toLowerCase();
  const ranked = [...new Set(words)].flatMap((word) => {
    const slips = slipsBetween(lower, word.toLowerCase());
    if (slips <= Math.max(typed.length, word.length) / 3) return [{ word, rank: slips }];
    const isPart = lower !== "" && word.toLowerCase().includes(lower);
    return isPart ? [{ word, rank: MAX_LENGTH + word.length }] : [];
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ word }) => word);
}

/** Letters that are missing, too many, wrong, or swapped with the next: the optimal string alignment distance. */
function slipsBetween(one: string, other: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      line.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    before = last;
    last = line;
  }
  return last[other.length] ?? 0;
}

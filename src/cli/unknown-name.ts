import { closestWords } from "../schema/closest-word.ts";
import { stripControlCharacters } from "./table.ts";

const MOST_NAMED = 3;

/** The sentence for a name that nothing has, with the names that may have been meant. */
export function unknownName(what: string, given: string, names: Iterable<string>): string {
  const close = closestWords(given, names, MOST_NAMED).map(quoted);
  const [last = "", ...others] = close.toReversed();
  const several = others.length > 1 ? ", or " : " or ";
  const meant = others.length === 0 ? last : `${others.toReversed().join(", ")}${several}${last}`;
  return `there is no ${what} ${quoted(given)}${close.length === 0 ? "" : `; did you mean ${meant}?`}`;
}

function quoted(text: string): string {
  return JSON.stringify(stripControlCharacters(text));
}

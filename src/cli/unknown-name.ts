import { closestWords } from "../schema/closest-word.ts";
import { stripControlCharacters } from "./table.ts";

const MAX_NAMED = 3;

/** The sentence for a name that nothing has, with the names that may have been meant. */
export function unknownName(what: string, given: string, names: Iterable<string>): string {
  return `there is no ${what} ${quoted(given)}${meantBy(given, names)}`;
}

/** The sentence for a value that no record of a list has. */
export function unknownValue(member: string, given: string, values: Iterable<string>): string {
  return `nothing in this list has the ${member} ${quoted(given)}${meantBy(given, values)}`;
}

function meantBy(given: string, names: Iterable<string>): string {
  const close = closestWords(given, names, MAX_NAMED).map(quoted);
  return close.length === 0 ? "" : `; did you mean ${alternatives(close)}?`;
}

/** The words with commas and an `or`. */
export function alternatives(words: readonly string[]): string {
  const [last = "", ...others] = words.toReversed();
  if (others.length === 0) return last;
  return `${others.toReversed().join(", ")}${others.length > 1 ? "," : ""} or ${last}`;
}

function quoted(text: string): string {
  return JSON.stringify(stripControlCharacters(text));
}

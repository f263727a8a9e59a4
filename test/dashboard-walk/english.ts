import { de } from "../../dashboard/locales/de.ts";
import { en } from "../../dashboard/locales/en.ts";

const textsOf = (catalogue: object): readonly string[] =>
  Object.values(catalogue).flatMap((part: object) => Object.values(part).map(String));
const german = new Set(textsOf(de));
const english = new Set(textsOf(en).filter((text) => /[a-z]/.test(text) && !german.has(text)));

/** Words of English sentences that no German one has. */
const words = /\b(?:the|and|of|is|are|with|this|your|from|by|has|been|for|there|which|not|no)\b/;

/** Returns English texts on a German page, except those named by people. */
export function englishAmong(
  texts: readonly string[],
  names: ReadonlySet<string>,
): readonly string[] {
  return texts.filter((text) => !names.has(text) && (english.has(text) || words.test(text)));
}

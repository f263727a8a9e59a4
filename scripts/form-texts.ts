import { writeFileSync } from "node:fs";

import { formsIn } from "../src/api/resources/info/forms.ts";
import { isRecord } from "../src/kit/safe-json.ts";

const file = new URL("../dashboard/locales/de/form-texts.json", import.meta.url);

/** The texts of the forms that the API gives in English, by that, where the German one differs. Throws where a text would have two. */
export function germanFormTexts(): Readonly<Record<string, string>> {
  const texts = new Map<string, string>();
  for (const [english, german] of pairsOf(formsIn("en"), formsIn("de"))) {
    if ((texts.get(english) ?? german) !== german)
      throw new Error(`two German texts for one: ${JSON.stringify(english)}`);
    texts.set(english, german);
  }
  return Object.fromEntries([...texts].filter(([english, german]) => english !== german));
}

function pairsOf(one: unknown, other: unknown): readonly (readonly [string, string])[] {
  if (typeof one === "string") return [[one, String(other)]];
  const others: readonly unknown[] = Object.values(isRecord(other) ? other : Object(other));
  return Object.values(Object(one)).flatMap((each, index) => pairsOf(each, others[index]));
}

export function textOf(texts: Readonly<Record<string, string>>): string {
  return `${JSON.stringify(texts, undefined, 2)}\n`;
}

export function writeFormTexts(): void {
  writeFileSync(file, textOf(germanFormTexts()));
}

const KEY = "watchpost-language";

export const languages = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
] as const;
export type Language = (typeof languages)[number]["code"];

/** Returns the reader's choice, otherwise the browser's first supported language. */
export function languageOf(): Language {
  const wanted = [localStorage.getItem(KEY) ?? "", ...navigator.languages];
  return wanted.map((tag) => tag.split("-")[0] ?? "").find(isLanguage) ?? "en";
}

/** The language as it is written in the region of the reader, which decides on 12 or 24 hours. Browsers name languages by preference, and a second one often in a region where the reader is not. */
export function regionalLocale(
  language: string,
  preferred: readonly string[] = navigator.languages,
): string {
  const locales = preferred.flatMap(localeOf);
  const [first = new Intl.Locale(language)] = locales;
  const ofFirst = locales.filter((locale) => locale.language === first.language);
  const { region = first.maximize().region } = ofFirst.find((locale) => locale.region) ?? first;
  return region === undefined ? language : `${language}-${region}`;
}

/** Empty if the tag is malformed, as Chromium has it under some settings of the operating system. */
function localeOf(tag: string): readonly Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  location.reload();
}

function isLanguage(tag: string): tag is Language {
  return languages.some(({ code }) => code === tag);
}

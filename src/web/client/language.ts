const KEY = "watchpost-language";

export const languages = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
] as const;
export type Language = (typeof languages)[number]["code"];

/** What the reader chose, or else the first language of the browser that there is. */
export function languageOf(): Language {
  const wanted = [localStorage.getItem(KEY) ?? "", ...navigator.languages];
  return wanted.map((tag) => tag.split("-")[0] ?? "").find(isLanguage) ?? "en";
}

/** How dates and numbers are written: as in the region that the browser names with the language. */
export function regionalLocale(language: string): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  location.reload();
}

function isLanguage(tag: string): tag is Language {
  return languages.some(({ code }) => code === tag);
}

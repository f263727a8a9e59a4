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

export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  location.reload();
}

function isLanguage(tag: string): tag is Language {
  return languages.some(({ code }) => code === tag);
}

import type { PageLanguage, StatusPage } from "./status-page.ts";

/** Automatic texts about outages. They contain only names shown on the page. */
interface OutageWords {
  readonly title: (names: string) => string;
  readonly more: (count: number) => string;
  readonly begun: string;
  readonly again: string;
  readonly over: string;
  readonly unobserved: string;
}

const words: Readonly<Record<PageLanguage, OutageWords>> = {
  en: {
    title: (names) => `Outage: ${names}`,
    more: (count) => ` and ${count} more`,
    begun: "Our monitoring has detected an outage.",
    again: "Our monitoring has detected an outage again.",
    over: "Our monitoring does not detect the outage any more.",
    unobserved: "This is not monitored any more.",
  },
  de: {
    title: (names) => `Ausfall: ${names}`,
    more: (count) => ` und ${count} weitere`,
    begun: "Unsere Überwachung hat einen Ausfall festgestellt.",
    again: "Unsere Überwachung hat erneut einen Ausfall festgestellt.",
    over: "Unsere Überwachung stellt den Ausfall nicht mehr fest.",
    unobserved: "Dies wird nicht mehr überwacht.",
  },
};

const MAX_NAMED = 3;
const MAX_TITLE_LENGTH = 200;

export function outageWords(language: PageLanguage): OutageWords {
  return words[language];
}

/** The title of an incident by outages of these checks, under the names of the page. */
export function outageTitle(
  page: Pick<StatusPage, "language" | "title" | "sections">,
  checkIds: readonly string[],
): string {
  const { title, more } = words[page.language];
  const names = [...new Set(checkIds.map((id) => shownName(page, id)))];
  const rest = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(", ");
  const letters = Array.from(title(`${named}${rest > 0 ? more(rest) : ""}`));
  return letters.length > MAX_TITLE_LENGTH
    ? `${letters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`
    : letters.join("");
}

/** Returns a check's name on a page, or the name of its section or the page. */
function shownName(
  { title, sections }: Pick<StatusPage, "title" | "sections">,
  id: string,
): string {
  for (const section of sections) {
    const check = section.checks.find((each) => each.id === id);
    if (check !== undefined) return check.name || section.name || title;
  }
  return title;
}

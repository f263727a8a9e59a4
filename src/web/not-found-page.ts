import type { IncomingHttpHeaders } from "node:http";

import { linkPage } from "./link-page.ts";
import type { LinkPage } from "./link-page.ts";

const words = {
  en: { text: "There is no page at this address.", home: "Go to the overview" },
  de: { text: "Unter dieser Adresse gibt es keine Seite.", home: "Zur Übersicht" },
} as const;
type Language = keyof typeof words;

/** The page for an unknown address, in the first language of the browser that there is. It does not repeat the address. */
export function notFoundPage({
  "accept-language": accepted = "",
}: Pick<IncomingHttpHeaders, "accept-language">): LinkPage {
  const wanted = accepted.split(",").map((tag) => tag.trim().slice(0, 2).toLowerCase());
  const language = wanted.find(isLanguage) ?? "en";
  const { text, home } = words[language];
  const page = linkPage(404, `<p>${text}</p><p><a href="/">${home}</a></p>`, "/", language);
  return { ...page, headers: { ...page.headers, vary: "accept, accept-language" } };
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(words, tag);
}

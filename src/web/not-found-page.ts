import type { IncomingHttpHeaders } from "node:http";

import { html } from "../kit/html.ts";
import { linkPage, type LinkPage } from "./link-page.ts";
import { languageOf } from "./page-language.ts";

const words = {
  en: { text: "There is no page at this address.", home: "Go to the overview" },
  de: { text: "Unter dieser Adresse gibt es keine Seite.", home: "Zur Übersicht" },
} as const;

/** The page for an unknown address, in the first language of the browser that there is. It does not repeat the address. */
export function notFoundPage(headers: Pick<IncomingHttpHeaders, "accept-language">): LinkPage {
  const language = languageOf(headers);
  const { text, home } = words[language];
  const page = linkPage(
    404,
    html`<p>${text}</p>
      <p><a href="/">${home}</a></p>`,
    { toRoot: "/", language },
  );
  return { ...page, headers: { ...page.headers, vary: "accept, accept-language" } };
}

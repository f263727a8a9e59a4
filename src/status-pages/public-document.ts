import { createHash } from "node:crypto";

import type { PublicSummary } from "../domain/status/public-check.ts";
import { html, textOf, verbatim, type Safe } from "../kit/html.ts";
import { styleSheet } from "./style-sheet.ts";

/** A page, image, feed or figure that strangers are shown. */
export interface PublicDocument {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

interface PageParts {
  readonly title: string;
  readonly language: string;
  readonly content: Safe;
  readonly head?: Safe | undefined;
  /** Rules after those of the program's own style sheet: made of checked values only. */
  readonly rules?: string;
  readonly status?: number;
  /** Pages with a form cannot be framed: their reader could be led to press what is not seen. */
  readonly hasForm?: boolean;
  readonly isListed?: boolean;
  /** Allowed sources of images. */
  readonly images?: "'self'" | "data:";
}

/** Scripts, plugins and everything of other origins is off; the style is known by its hash. */
export function pageDocument({
  title,
  language,
  content,
  head,
  rules = "",
  status = 200,
  hasForm = false,
  isListed = true,
  images = "'self'",
}: PageParts): PublicDocument {
  const style = styleSheet + rules;
  const hash = createHash("sha256").update(style).digest("base64");
  const framing = hasForm
    ? "form-action 'self'; frame-ancestors 'none'"
    : "form-action 'none'; frame-ancestors *";
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; img-src ${images}; base-uri 'none'; ${framing}`,
      ...(isListed ? {} : { "x-robots-tag": "noindex, nofollow" }),
    },
    body: textOf(
      html`<!doctype html>
        <html lang="${language}">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>${title}</title>
            ${head} ${verbatim(`<style>${style}</style>`)}
          </head>
          <body>
            ${content}
          </body>
        </html>`,
    ),
  };
}

export function jsonDocument(value: unknown): PublicDocument {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(value),
  };
}

const icons: Readonly<Record<PublicSummary, string>> = {
  operational: "▲",
  down: "▼",
  partly: "◆",
  maintenance: "■",
  unknown: "○",
};

const tones: Readonly<Record<PublicSummary, string>> = {
  operational: "up",
  down: "down",
  partly: "partly",
  maintenance: "maintenance",
  unknown: "unknown",
};

/** The class that colors a state. */
export function toneOf(state: PublicSummary): string {
  return tones[state];
}

/** Icon and word, never the color alone. */
export function stateText(state: PublicSummary, word: string): Safe {
  return html`<span class="state ${tones[state]}"
    ><span aria-hidden="true">${icons[state]}</span> ${word}</span
  >`;
}

import { storableTitle } from "../../domain/run/outcome.ts";
import { decodeText, pageCharset } from "../../kit/http/body-text.ts";
import type { HttpResponse } from "../../kit/http/exchange.ts";

/** How much of a page is searched for its title. */
export const MAX_TITLE_BYTES = 64 * 1024;

const START = /<!--|<(title|script|style)(?=[\s/>])[^>]*>/gi;
const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  middot: "·",
  bull: "•",
  laquo: "«",
  raquo: "»",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
};

/** Returns whether a response is a page that has a title. */
export function isTitled({ status, headers }: Pick<HttpResponse, "status" | "headers">): boolean {
  const type = String(headers["content-type"] ?? "");
  return (
    status >= 200 && status < 300 && /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)
  );
}

/** The title of a page as plain text; undefined unless it is in the beginning of the body. */
export function titleOf(body: Uint8Array, contentType: string): string | undefined {
  const start = body.subarray(0, MAX_TITLE_BYTES);
  const markup = titleMarkup(decodeText(start, pageCharset(start, contentType)));
  const title = storableTitle(markup.replaceAll(ENTITY, decodeEntity));
  return title === "" ? undefined : title;
}

/** Each part of the page is read once, however many tags it opens. */
function titleMarkup(html: string): string {
  START.lastIndex = 0;
  for (;;) {
    const [opening, tag] = START.exec(html) ?? [];
    if (opening === undefined) return "";
    const end = tag === undefined ? /-->/g : new RegExp(`</${tag}[\\s/>]`, "gi");
    end.lastIndex = START.lastIndex;
    const closing = end.exec(html);
    if (closing === null) return "";
    if (tag?.toLowerCase() === "title") return html.slice(START.lastIndex, closing.index);
    START.lastIndex = end.lastIndex;
  }
}

function decodeEntity(entity: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return NAMED[name] ?? entity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : entity;
}

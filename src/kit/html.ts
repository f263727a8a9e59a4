import { escapeHtml } from "./http/escape-html.ts";

const content = Symbol("content");

/** Markup that this module made: only `html` and `verbatim` can. */
export interface Safe {
  readonly [content]: string;
}

export type Part = Safe | string | number | undefined | readonly Part[];

/** Matches characters that change the text direction or are invisible, and two that XML forbids; no name needs them. */
const MISLEADING = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFFE\uFFFF]/g;

/** Markup in which every value is escaped, unless it is markup itself; also right in quoted attributes, and in XML. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Safe {
  const own = withoutIndents(literals);
  let markup = own[0] ?? "";
  for (const [index, part] of parts.entries()) markup += textOf(part) + (own[index + 1] ?? "");
  return { [content]: markup };
}

const withoutIndent = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The formatter breaks lines only where markup may have a space. */
function withoutIndents(literals: TemplateStringsArray): readonly string[] {
  const known = withoutIndent.get(literals);
  if (known !== undefined) return known;
  const own = literals.map((literal) => literal.replaceAll(/\s*\n\s*/g, " "));
  withoutIndent.set(literals, own);
  return own;
}

/** Only for constants of the program. */
export function verbatim(markup: string): Safe {
  return { [content]: markup };
}

/** Returns the HTML of a part. */
export function textOf(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "object") return content in part ? part[content] : part.map(textOf).join("");
  // guard: markup on public pages = argument
  return escapeHtml(plainText(String(part)));
}

/** Text as people and feeds are shown it: of control characters only the end of a line is left. */
export function plainText(text: string): string {
  return text
    .replaceAll(MISLEADING, "")
    .replaceAll(/[^\P{Cc}\n]/gu, " ")
    .toWellFormed();
}

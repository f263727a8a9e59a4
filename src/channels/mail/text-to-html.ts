import { escapeHtml } from "../../kit/http/escape-html.ts";

/** Plain text as an HTML page of escaped paragraphs; `foot` is HTML. */
export function textToHtml(text: string, foot = ""): string {
  return [
    '<!doctype html><html style="color-scheme:light dark"><body style="font-family:sans-serif">',
    paragraphs(text),
    foot,
    "</body></html>",
  ].join("");
}

export function paragraphs(text: string): string {
  return escapeHtml(text.replaceAll(/\r\n?/g, "\n").trim())
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
    .join("");
}

import {
  parseMarkdown,
  type MarkdownBlock,
  type MarkdownPiece,
} from "../domain/status/markdown.ts";
import { html, type Part, type Safe } from "../kit/html.ts";

/** Markdown of people as markup of a page: every piece of it goes through `html`. */
export function markdown(text: string): readonly Safe[] {
  return parseMarkdown(text).map(blockPart);
}

function blockPart({ kind, lines }: MarkdownBlock): Safe {
  const [first = [], ...rest] = lines.map((line) => line.map(piecePart));
  if (kind === "heading") return html`<h3>${first}</h3>`;
  if (kind === "list")
    return html`<ul>
      ${[first, ...rest].map((line) => html`<li>${line}</li>`)}
    </ul>`;
  return html`<p>${first}${rest.map((line) => html`<br />${line}`)}</p>`;
}

function piecePart(piece: MarkdownPiece): Part {
  if (piece.kind === "strong") return html`<strong>${piece.text}</strong>`;
  if (piece.kind === "emphasis") return html`<em>${piece.text}</em>`;
  if (piece.kind === "code") return html`<code>${piece.text}</code>`;
  if (piece.kind === "link")
    return html`<a href="${piece.url}" rel="nofollow noopener noreferrer">${piece.text}</a>`;
  return piece.text;
}

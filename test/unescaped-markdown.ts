/** A character that begins something in Markdown, and is not escaped. */
export const unescapedMarkdown = /(?<!\\)(?:\\\\)*[*_`[\]~>#|]/;

/** What is left of lines once code and the names before it are taken out. */
export function withoutCode(text: string): string {
  return text.replaceAll(/`[^`\n]*`/g, "").replaceAll(/^\*\*[\w ]+:\*\* +$/gm, "");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** What must not begin a tag or a mention, where those stand in angle brackets. */
export function escapeTags(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? "");
}

/** For who reads it as HTML here and as plain text there: no tag begins in it, and it reads the same in both. */
export function replaceBrackets(text: string): string {
  return text.replaceAll("<", "‹").replaceAll(">", "›");
}

/** A text in Markdown that says what it said before: all that could begin something is escaped. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!>~|]/g, String.raw`\$&`);
}

/** In it nothing is markup, a link or a mention; only what would end it is replaced. */
export function codeSpan(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** A line of a story in Markdown. */
export function markdownLine(value: string, name?: string): string {
  return name === undefined ? codeSpan(value) : `**${name}:** ${codeSpan(value)}`;
}

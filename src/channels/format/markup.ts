const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes text that could start a tag or a mention in angle brackets. */
export function escapeTags(text: string): string {
  // guard: tags and mentions = parameter
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? "");
}

/** For who reads it as HTML here and as plain text there: no tag begins in it, and it reads the same in both. */
export function replaceBrackets(text: string): string {
  return text.replaceAll("<", "‹").replaceAll(">", "›");
}

/** For services that treat any word after an @ as a mention; mailboxes are unchanged. */
export function replaceMentions(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}_.+-])@/gu, "＠");
}

/** Escapes every character that could begin markup in Markdown. */
export function escapeMarkdown(text: string): string {
  // guard: Markdown of strangers = parameter
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!>~|]/g, String.raw`\$&`);
}

/** In it nothing is markup, a link or a mention; only what would end it is replaced. */
export function codeSpan(text: string): string {
  return `\`${text /* guard: code spans */
    .replaceAll("`", "'")}\``;
}

/** A line of a summary in Markdown. */
export function markdownLine(value: string, name?: string, isLink?: true): string {
  if (isLink === true) return `[${name ?? value}](${value})`;
  return name === undefined ? codeSpan(value) : `**${name}:** ${codeSpan(value)}`;
}

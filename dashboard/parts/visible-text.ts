/**
 * Removes invisible characters, direction changes, and control characters except line breaks and tabs from foreign text, because they could make a label
 * misleading.
 */
export function visibleText(text: string): string {
  // guard: directions of text on pages = parameter
  return text.replaceAll(/\p{Cf}|[^\P{Cc}\n\t]/gu, "");
}

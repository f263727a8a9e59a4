/**
 * What a page shows of a text of somebody else: without characters that are not seen or that turn the direction of others, which could
 * make a label read as what it is not, and without control characters but line breaks and tabs.
 */
export function visibleText(text: string): string {
  // guard: directions of text on pages = parameter
  return text.replaceAll(/\p{Cf}|[^\P{Cc}\n\t]/gu, "");
}

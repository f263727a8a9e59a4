const ELLIPSIS = "…";

/**
 * Untrusted text as one safe line: no line breaks, control, bidi or zero-width characters,
 * single plain spaces, at most `most` characters.
 */
export function oneLine(text: string, most: number): string {
  const clean = withoutFormatting(text) /* guard: line breaks */
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return cut(clean.trim(), most);
}

/** The same with all its spaces, for what stands in columns. */
export function columnsLine(text: string, most: number): string {
  const clean = withoutFormatting(text).replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
  return cut(clean.trimEnd(), most);
}

function withoutFormatting(text: string): string {
  return text
    .toWellFormed() /* guard: invisible characters and directions */
    .replaceAll(/\p{Cf}/gu, "");
}

function cut(clean: string, most: number): string {
  const characters = Array.from(clean);
  return characters.length <= most ? clean : `${characters.slice(0, most - 1).join("")}${ELLIPSIS}`;
}

const ELLIPSIS = "…";

/**
 * Untrusted text as one safe line: no line breaks, control, bidi or zero-width characters,
 * single plain spaces, at most `most` characters.
 */
export function oneLine(text: string, most: number): string {
  const clean = text
    .toWellFormed()
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const characters = Array.from(clean);
  return characters.length <= most ? clean : `${characters.slice(0, most - 1).join("")}${ELLIPSIS}`;
}

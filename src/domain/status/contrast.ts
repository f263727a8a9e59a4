/** Minimum contrast between a non-text color and its background (WCAG 2.2, 1.4.11). */
export const MIN_CONTRAST = 3;
/** The grounds of status pages, light and dark. */
export const pageGrounds = { light: "#ffffff", dark: "#14171a" } as const;

/** Returns the contrast ratio of two six-digit hexadecimal colors, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted(
    (a, b) => a - b,
  );
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

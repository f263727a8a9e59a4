/** Aligns the rows in columns with two spaces between them. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(stripControlCharacters));
  const widths = (clean[0] ?? []).map((_, column) =>
    Math.max(...clean.map((row) => widthOf(row[column] ?? ""))),
  );
  return clean
    .map(
      (row) =>
        `${row
          .map((cell, column) => padded(cell, widths[column]))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** Labels and messages come from others, and must not control the terminal. */
export function stripControlCharacters(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, " ");
}

export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} GMT`;
}

function padded(cell: string, width = 0): string {
  return cell + " ".repeat(Math.max(0, width - widthOf(cell)));
}

function widthOf(text: string): number {
  return Array.from(new Intl.Segmenter().segment(text)).length;
}

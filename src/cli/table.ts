import { widthOf } from "./output/text-width.ts";

export interface TableLayout {
  /** The columns of the terminal; cells are shortened so that rows fit into it. */
  readonly columns?: number | undefined;
  /** Gives a cell its color, by the heading of its column. */
  readonly paint?: ((cell: string, heading: string) => string) | undefined;
}

/** A column that is shortened keeps as many. */
const MIN = 8;
const GAP = 2;

/** Aligns the rows in columns with two spaces between them. */
export function formatTable(
  rows: readonly (readonly string[])[],
  { columns, paint = (cell) => cell }: TableLayout = {},
): string {
  const clean = rows.map((row) => row.map(stripControlCharacters));
  const [heads = []] = clean;
  const widest = heads.map((_, column) =>
    clean.reduce((most, row) => Math.max(most, widthOf(row[column] ?? "")), 0),
  );
  const widths = columns === undefined ? widest : fitted(widest, columns);
  const lineOf = (row: readonly string[]): string => {
    const cells = row.map((cell, column) => shortened(cell, widths[column] ?? 0));
    const last = cells.findLastIndex((cell) => cell !== "");
    return cells
      .slice(0, last + 1)
      .map((cell, column) => {
        const gap = column === last ? 0 : (widths[column] ?? 0) - widthOf(cell);
        return `${paint(cell, heads[column] ?? "")}${" ".repeat(Math.max(0, gap))}`;
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  };
  return clean.map((row) => `${lineOf(row)}\n`).join("");
}

/** The first column has ids, which are of no use in part. The widest of the others is shortened first. */
function fitted(widest: readonly number[], columns: number): readonly number[] {
  const widths = [...widest];
  const total = (): number => widths.reduce((sum, width) => sum + width + GAP, -GAP);
  for (let over = total() - columns; over > 0; over -= 1) {
    const largest = Math.max(...widths.slice(1));
    if (largest <= MIN) break;
    widths[widths.indexOf(largest, 1)] = largest - 1;
  }
  return widths;
}

function shortened(cell: string, width: number): string {
  if (widthOf(cell) <= width) return cell;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (widthOf(kept) + widthOf(segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Labels and messages come from others, and must not control the terminal. */
export function stripControlCharacters(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, " ");
}

export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} GMT`;
}

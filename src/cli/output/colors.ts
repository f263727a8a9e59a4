/** Colors of columns, by the first word of the cell. */
const colors: Readonly<Record<string, string>> = {
  up: "32",
  passed: "32",
  green: "32",
  delivered: "32",
  down: "31",
  failed: "31",
  red: "31",
  late: "33",
  missed: "33",
  undecided: "33",
  amber: "33",
  disabled: "2",
  paused: "2",
  maintenance: "36",
};

const PAINTED = new Set(["STATE", "STATUS", "OUTCOME", "TYPE OF EVENT"]);

/** Paints states; everything else keeps the color of the terminal. */
export function paintStates(cell: string, heading: string): string {
  return PAINTED.has(heading) ? painted(cell) : cell;
}

/** The text in the color of its first word. */
export function painted(text: string): string {
  const [word = ""] = text.split(/[^a-z]/, 1);
  const color = Object.hasOwn(colors, word) ? colors[word] : undefined;
  return color === undefined ? text : `\u001B[${color}m${text}\u001B[0m`;
}

/** What stands in the columns that have colours, by its first word. */
const colours: Readonly<Record<string, string>> = {
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

/** Paints states; everything else keeps the colour of the terminal. */
export function paintStates(cell: string, heading: string): string {
  return PAINTED.has(heading) ? painted(cell) : cell;
}

/** The text in the colour of its first word. */
export function painted(text: string): string {
  const [word = ""] = text.split(/[^a-z]/, 1);
  const colour = Object.hasOwn(colours, word) ? colours[word] : undefined;
  return colour === undefined ? text : `\u001B[${colour}m${text}\u001B[0m`;
}

import type { Random } from "../chaos/random.ts";

/** Text to repeat. */
export const pieces: readonly [string, ...string[]] = [
  " ",
  ...Array.from("\t\n\0aA019-+.,;:/\\%&=[]{}()<>\"'`*?#@_~|^$!"),
  "\r\n",
  "a&",
  "a=&",
  "a[a]=&",
  "%2",
  "%41",
  "\\u",
  '\\"',
  "((",
  "a.",
  "a:",
  ": ",
  "1,",
  "1:",
  "--",
  "*/1,",
  "0-59,",
  "{if ",
  "{label}",
  "<track>",
  "\nSSH-",
  "GMT",
  "é",
  "e\u0301",
  "\u0301",
  "\ud800",
  "\u{1f600}",
  "\u202e",
  "\u200b",
  "\ufeff",
  "ß",
  "İ",
  "\xff",
];

/** A text of about a length: an example, or nothing, with a piece repeated somewhere in it. */
export interface HostileText {
  readonly start: string;
  readonly piece: string;
  readonly end: string;
}

export function textOf({ start, piece, end }: HostileText, length: number): string {
  const count = Math.floor(Math.max(0, length - start.length - end.length) / piece.length);
  return (start + piece.repeat(count) + end).slice(0, length);
}

export function hostileText(random: Random, examples: readonly string[]): HostileText {
  const example = random.pick(["", ...examples]);
  const at = Math.floor(random.next() * (example.length + 1));
  return {
    start: example.slice(0, at),
    piece: random.pick([...pieces, ...examples.filter((each) => each !== "")]),
    end: random.pick([example.slice(at), random.pick(pieces), ""]),
  };
}

export function describe({ start, piece, end }: HostileText): string {
  return `${JSON.stringify(start)} + ${JSON.stringify(piece)} again and again + ${JSON.stringify(end)}`;
}

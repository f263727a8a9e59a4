const words: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "1", "active"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0", "inactive"].map((word) => [word, false] as const),
]);

/** The accepted values as JSON Schema; words may be in any case. */
export const flagJsonSchema: Readonly<Record<string, unknown>> = {
  type: ["boolean", "string", "integer"],
  enum: [true, false, 1, 0, ...words.keys()],
};

/** The longest word, with blanks around it. */
const MAX_WORD_LENGTH = 100;

/** Parses a switch as clients write it: a boolean, 1 or 0, or one of the words in any case; undefined for anything else. */
export function parseFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const word = typeof value === "number" ? String(value) : value;
  return typeof word === "string" && word.length <= MAX_WORD_LENGTH
    ? words.get(word.trim().toLowerCase())
    : undefined;
}

/** Values that a document says a parameter takes, and values that it says it does not. */
export interface Trials {
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

/** Value generators by the phrase in the column "Value" of a document. A list above the maximum size of a request is not tried. */
const forms: readonly (readonly [RegExp, (...parts: string[]) => Trials])[] = [
  [
    /^true or false$/,
    () => ({
      accepted: [true, false, "true", "FALSE", "yes", "off", 1, 0, "1"],
      refused: ["perhaps", 2, {}],
    }),
  ],
  [
    /^a whole number from (-?\d+) to (\d+)(, or .+)?$/,
    (min, max, more = "") => ({
      accepted: [Number(min), Number(max), min, `${max}.0`, ...alternativesIn(more)],
      refused: [Number(min) - 1, Number(max) + 1, Number(min) + 0.7, "many", {}, true],
    }),
  ],
  [
    /^a whole number from (\d+)$/,
    (min) => ({
      accepted: [Number(min), min, `${min}.0`],
      refused: [Number(min) - 1, "many", {}],
    }),
  ],
  [
    /^one of (.+), or a list of them$/,
    (words) => ({
      accepted: [...words.split(", "), words.split(", ")],
      refused: ["none of these", ["none of these"], {}],
    }),
  ],
  [
    /^one of (.+)$/,
    (words) => {
      const each = words.split(", ");
      return {
        accepted: [...each, ...each.map((word) => word.toUpperCase())],
        refused: ["none of these", 5, {}],
      };
    },
  ],
  [
    /^(?:text|one line) of at most (\d+) characters(?:, without control characters.*)?$/,
    (most) => ({ accepted: ["x"], refused: ["x".repeat(Number(most) + 1), {}] }),
  ],
  [
    /^(?:must have )?(\d+) to (\d+) characters$/,
    (least, most) => ({
      accepted: ["x".repeat(Number(least)), "x".repeat(Number(most))],
      refused: ["x".repeat(Number(most) + 1), {}],
    }),
  ],
  [
    /^one id of at most (\d+) characters$/,
    (most) => ({
      accepted: ["x", "x".repeat(Number(most))],
      refused: ["x".repeat(Number(most) + 1), ["x"], 5, {}],
    }),
  ],
  [
    /^an id or a list of at most \d+ ids$/,
    () => ({ accepted: ["x", "x,y", ["x", "y"]], refused: [{ a: "x" }, [5]] }),
  ],
  [
    /^a list of at most (\d+) (ids|texts of at most \d+ characters|region or location codes)$/,
    (most) => ({
      accepted: [["x"], "x", '["x"]', ["x", "y"]],
      refused: [{ a: "x" }, [5], Array.from({ length: Number(most) + 1 }, (_, no) => `x${no}`)],
    }),
  ],
  [
    /^a list of at most (\d+) (?:entries|sections, such as .+)$/,
    (most) => ({
      accepted: [[], "[]"],
      refused: ["text", 5, Array.from({ length: Number(most) + 1 }, () => ({}))],
    }),
  ],
  [
    /^an object of at most (\d+) (?:members|names to text|fields|header names to text.*)$/,
    (most) => ({
      accepted: [{}],
      refused: [
        "text",
        5,
        Object.fromEntries(Array.from({ length: Number(most) + 1 }, (_, no) => [`x${no}`, "y"])),
      ],
    }),
  ],
  [
    /^ms since 1970, YYYY-MM-DD HH:MM:SS or an RFC 2822 date$/,
    () => ({
      accepted: [1_767_614_400_000, "1767614400000", "2026-01-05", "2026-01-05 12:00:00", mailDate],
      refused: ["yesterday", -1, {}],
    }),
  ],
  [
    /^a date as start takes it, or now$/,
    () => ({
      accepted: [1_767_614_400_000, "2026-01-05 12:00:00", mailDate, "now"],
      refused: ["yesterday", -1, {}],
    }),
  ],
  [/^one mailbox$/, () => ({ accepted: ["ann@example.com"], refused: ["ann", {}] })],
  [
    /^a list of objects of recipient to schedule$/,
    () => ({ accepted: [[], [{ x: "Days" }], { x: "Days" }], refused: ["x", ["x"], 5] }),
  ],
  [
    /^true, false, or the ms since 1970 until which it lasts$/,
    () => ({ accepted: [true, "false", 1_999_999_999_999], refused: ["perhaps", -1, {}] }),
  ],
  [
    /^the (?:id of a check|code of a location, roam), or false$/,
    () => ({ accepted: ["x", false, "false"], refused: [{}, ["x"], 5] }),
  ],
  [
    /^(?:Invalid URL, must be )?one that begins with (\w+:\/\/).* of at most (\d+) characters$/,
    (scheme, most) => ({
      accepted: [`${scheme}example.com/`],
      refused: ["example.com", `${scheme}example.com/${"x".repeat(Number(most))}`, {}],
    }),
  ],
  [
    /^a (?:host|domain) name or an IP address$/,
    () => ({
      accepted: ["example.com", "192.0.2.1", "2001:db8::1"],
      refused: ["a b", "x.".repeat(128), {}],
    }),
  ],
  [
    /^(?:1 to|a name of at most) (\d+) (?:lower-case letters|letters|printable characters)\b.*$/,
    (most) => ({
      accepted: ["x", "x".repeat(Number(most))],
      refused: ["x".repeat(Number(most) + 1)],
    }),
  ],
  [
    /^.+ such as ([\d*]+(?: [\d*-]+){4}|\S+?)(?:,? (?:in at most|or) .+)?$/,
    (sample) => ({ accepted: [sample], refused: [{}] }),
  ],
];

const mailDate = "Mon, 05 Jan 2026 12:00:00 GMT";

function alternativesIn(phrase: string): readonly unknown[] {
  return phrase
    .split(/,? or /)
    .filter((word) => word !== "")
    .map((word) => (word === "false" ? false : Number(word)));
}

/** Undefined for a phrase of no known form. */
export function trialsOf(phrase: string): Trials | undefined {
  for (const [form, trials] of forms) {
    const parts = form.exec(phrase);
    if (parts !== null) return trials(...parts.slice(1));
  }
  return undefined;
}

/** The rows of the tables below a heading, each by the names of its columns, in the document's order. */
export function tablesOf(markdown: string): ReadonlyMap<string, readonly Row[]> {
  const tables = new Map<string, Row[]>();
  let heading = "";
  let columns: readonly string[] = [];
  for (const line of markdown.split("\n")) {
    if (line.startsWith("#")) heading = line.replace(/^#+ /, "");
    if (!line.startsWith("| ")) columns = [];
    else if (columns.length === 0) columns = cellsOf(line);
    else if (!line.startsWith("| ---")) {
      const cells = cellsOf(line);
      const row = Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ""]));
      tables.set(heading, [...(tables.get(heading) ?? []), row]);
    }
  }
  return tables;
}

type Row = Readonly<Record<string, string>>;

function cellsOf(line: string): readonly string[] {
  return line
    .slice(2, -2)
    .split(/(?<!\\) \| /)
    .map((cell) => cell.replaceAll(String.raw`\|`, "|").trim());
}

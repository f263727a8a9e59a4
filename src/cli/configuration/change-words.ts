import type { Terminal } from "../output/terminal.ts";
import { stripControlCharacters } from "../table.ts";
import type { ValueChange } from "./value-changes.ts";

export type PlannedChange = "create" | "change" | "same" | "prune" | "takeover";

const signs = { create: "+", change: "~", same: " ", prune: "-", takeover: "=" } as const;
const colors = { create: 32, change: 33, same: 0, prune: 31, takeover: 36 } as const;

/** A plan says what is to be done, an apply what was done. */
const tenses = {
  plan: {
    create: "to create",
    change: "to change",
    prune: "to delete",
    takeover: "to take over",
    same: "unchanged",
  },
  apply: {
    create: "created",
    change: "changed",
    prune: "deleted",
    takeover: "taken over",
    same: "unchanged",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<PlannedChange, string>>>>;
export type Tense = keyof typeof tenses;

/** A line about a record, with its sign. */
export function changeLine(
  change: PlannedChange,
  text: string,
  { hasColors }: Pick<Terminal, "hasColors">,
): string {
  const line = `${signs[change]} ${stripControlCharacters(text)}`;
  return hasColors ? `\u001B[${colors[change]}m${line}\u001B[0m\n` : `${line}\n`;
}

export function countsInWords(
  counts: Readonly<Record<PlannedChange, number>>,
  tense: Tense,
): string {
  const parts = (["create", "change", "prune", "takeover", "same"] as const)
    .filter((change) => change !== "takeover" || counts.takeover > 0)
    .map((change) => `${counts[change]} ${tenses[tense][change]}`);
  return `${parts.join(", ")}.`;
}

const MAX_SHOWN_LENGTH = 60;

/** A member with both of its values; `named` puts the names of records in place of their ids. */
export function differenceOf(change: ValueChange, named: (value: unknown) => unknown): string {
  if (change.isSecret) return `${change.name} (secret)`;
  const [before, after] = [change.before, change.after].map((value) => textOf(named(value)));
  return `${change.name} ${before} → ${after}`;
}

function textOf(value: unknown): string {
  if (value === null) return "(unset)";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

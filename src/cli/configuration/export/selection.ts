import { isRecord } from "../../../kit/safe-json.ts";
import { CommandError } from "../../command-context.ts";
import type { Configuration } from "../document.ts";
import { unknownName } from "../../unknown-name.ts";
import { sectionNames, type SectionName } from "../shapes.ts";
import { textOf } from "../text-of.ts";
import type { ExportKeys } from "./export-keys.ts";

export interface Selection {
  /** Names, keys, or ids of records of any kind. */
  readonly names: readonly string[];
  /** Each check that has one of them. */
  readonly tags: readonly string[];
}

/** Returns whether a record is selected; undefined without a selection, which selects all. Throws a CommandError for a name or a tag that no record has. */
export function selectedRecords(
  { names, tags }: Selection,
  account: Configuration,
  keys: ExportKeys,
): ((section: SectionName, id: string) => boolean) | undefined {
  if (names.length === 0 && tags.length === 0) return undefined;
  const named = sectionNames.flatMap((section) =>
    Object.entries(account[section]).map(([id, entry]) => ({
      record: `${section} ${id}`,
      names: [id, keys.of(section).get(id) ?? id, ...nameIn(entry)],
    })),
  );
  const tagged = Object.entries(account.checks).map(([id, { tags: its }]) => ({
    record: `checks ${id}`,
    names: Array.isArray(its) ? its.map(textOf) : [],
  }));
  const selected = new Set([
    ...names.flatMap((name) => recordsOf(name, named, "record")),
    ...tags.flatMap((tag) => recordsOf(tag, tagged, "check with the tag")),
  ]);
  return (section, id) => selected.has(`${section} ${id}`);
}

function nameIn(entry: unknown): readonly string[] {
  const name = isRecord(entry) ? (entry.label ?? entry.name) : undefined;
  return name === undefined ? [] : [textOf(name)];
}

function recordsOf(
  given: string,
  all: readonly { readonly record: string; readonly names: readonly string[] }[],
  what: string,
): readonly string[] {
  const found = all.filter(({ names }) => names.includes(given));
  if (found.length === 0)
    throw new CommandError(
      unknownName(
        what,
        given,
        all.flatMap(({ names }) => names),
      ),
    );
  return found.map(({ record }) => record);
}

import { basename } from "node:path";

import type { ImportFile } from "../source.ts";
import { historyOf, type History, type Piece } from "./history.ts";

interface DividedFiles {
  /** Files with records. */
  readonly files: readonly ImportFile[];
  /** Returns the content of the file about a record; undefined if there is none. */
  readonly about: (id: string) => unknown;
}

/** Takes out files about one record each, whose names are a prefix and its id: `flips-<id>.json`. */
export function divideFiles(files: readonly ImportFile[], prefix: string): DividedFiles {
  const ids = new Map<ImportFile, string>();
  for (const file of files) {
    const [, id] = new RegExp(`^${prefix}-(.+)\\.json$`).exec(basename(file.name)) ?? [];
    if (id !== undefined) ids.set(file, id);
  }
  const byId = new Map([...ids].map(([{ value }, id]) => [id, value]));
  return { files: files.filter((file) => !ids.has(file)), about: (id) => byId.get(id) };
}

/** Builds a history from pieces in any order, without unknown ones; undefined if none remain. */
export function historyOfPieces(
  source: string,
  pieces: readonly (Piece | undefined)[],
): History | undefined {
  const inOrder = pieces
    .filter((piece) => piece !== undefined)
    .toSorted((one, other) => one.start - other.start);
  const history = historyOf(source, inOrder);
  return history.known.length === 0 ? undefined : history;
}

/** How many there are, in words: `3 flips`. */
export function countOf(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

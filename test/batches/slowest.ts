import { relative } from "node:path";

import { root } from "./batches.ts";

/** Event of the runner for a finished test; for a file, the name is that of the file. */
interface Completed {
  readonly name: string;
  readonly nesting: number;
  readonly details: { readonly duration_ms: number };
}

const SHOWN = 10;

/** The files that took longest, a line each. A batch is shown by its files. */
export function slowestFiles(
  completed: readonly Completed[],
  files: ReadonlySet<string>,
): readonly string[] {
  return completed
    .filter(({ nesting }) => nesting === 0)
    .map(({ name, details }) => ({ file: relative(root, name), ms: details.duration_ms }))
    .filter(({ file }) => files.has(file))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SHOWN)
    .map(({ file, ms }) => `${(ms / 1000).toFixed(0).padStart(6)} s  ${file}`);
}

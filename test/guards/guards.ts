import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { allTestFiles, root } from "../batches/batches.ts";
import { marksIn, titleAt } from "./marks.ts";

/** A protection that is marked in a source, and the tests that must fail without it. */
export interface Guard {
  /** From the root. */
  readonly file: string;
  readonly tests: readonly MarkedTest[];
}

export interface MarkedTest {
  readonly file: string;
  /** A part of the titles that are meant, where … stands for any text. */
  readonly title: string;
}

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const sources = globSync("{src,dashboard,scripts}/**/*.{ts,tsx,mjs}", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts"))
  .toSorted();

/** The files in which a name is marked, by the name. */
const guarded = Map.groupBy(
  sources.flatMap((file) => marksIn(read(file)).map(({ name }) => ({ name, file }))),
  ({ name }) => name,
);
const shown = Map.groupBy(
  // Its own test has examples of marks.
  allTestFiles()
    .filter((file) => file !== "test/guards/guards.test.ts")
    .flatMap((file) => {
      const text = read(file);
      return marksIn(text).map((mark) => ({ name: mark.name, file, title: titleAt(text, mark) }));
    }),
  ({ name }) => name,
);

/** Every guard by its name. */
export const guards: Readonly<Record<string, Guard>> = Object.fromEntries(
  [...guarded].map(([name, marks]) => {
    const [file = "", ...others] = new Set(marks.map((mark) => mark.file));
    if (others.length > 0)
      throw new Error(`the guard ${name} is in ${[file, ...others].join(", ")}`);
    const tests = shown.get(name) ?? [];
    return [
      name,
      { file, tests: tests.map(({ file: inFile, title }) => ({ file: inFile, title })) },
    ];
  }),
);

/** Names that tests are marked with, and no source. */
export const unguarded: readonly string[] = [...shown.keys()].filter((name) => !guarded.has(name));

/** The titles that a marked test means. */
export function titlePattern({ title }: MarkedTest): RegExp {
  return new RegExp(
    title
      .split("…")
      .map((part) => RegExp.escape(part))
      .join("[^]*"),
  );
}

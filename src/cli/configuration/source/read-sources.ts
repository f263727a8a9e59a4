import { readFile, readdir, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";

import { fileTrouble } from "../../../kit/file-error.ts";
import { CommandError, type CommandContext } from "../../command-context.ts";
import type { SourceText } from "./source-file.ts";

const extensions: ReadonlySet<string> = new Set([".json", ".yaml", ".yml"]);
const MAX_FILES = 1000;
const MAX_BYTES = 67_108_864;
const DEEPEST_FOLDER = 10;

/** Reads files, the files of folders, and standard input for `-`. Throws a CommandError where one cannot be read. */
export async function readSources(
  places: readonly string[],
  context: Pick<CommandContext, "readInput">,
): Promise<readonly SourceText[]> {
  const sources: SourceText[] = [];
  let bytes = 0;
  for (const path of await sourcePaths(places)) {
    const text = await (path === "-"
      ? context.readInput()
      : readFile(path, "utf8").catch(refusal(path)));
    bytes += text.length;
    if (bytes > MAX_BYTES)
      throw new CommandError(`the files have more than ${MAX_BYTES} bytes in all`);
    sources.push(
      path === "-"
        ? { name: "(standard input)", folder: ".", text }
        : { name: path, folder: dirname(path), text },
    );
  }
  return sources;
}

/** Returns a value that changes whenever one of the files does. */
export async function signatureOf(places: readonly string[]): Promise<string> {
  const paths = await sourcePaths(places);
  const facts = await Promise.all(
    paths.map(async (path) => {
      const { mtimeMs, size } = await stat(path).catch(refusal(path));
      return `${path} ${mtimeMs} ${size}`;
    }),
  );
  return facts.join("\n");
}

/** Returns the files at the given paths, each once; files of a folder by name. */
async function sourcePaths(places: readonly string[]): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const place of places)
    for (const path of place === "-" ? [place] : await filesIn(place, 0)) paths.add(path);
  if (paths.size > MAX_FILES) throw new CommandError(`there are more than ${MAX_FILES} files`);
  if (paths.size === 0)
    throw new CommandError(
      `no file with the ending .yaml, .yml or .json in ${places.map((each) => JSON.stringify(each)).join(", ")}`,
    );
  return [...paths];
}

async function filesIn(path: string, depth: number): Promise<readonly string[]> {
  const found = await stat(path).catch(refusal(path));
  if (!found.isDirectory()) return [path];
  if (depth > DEEPEST_FOLDER)
    throw new CommandError(`${JSON.stringify(path)}: folders lie deeper than ${DEEPEST_FOLDER}`);
  const entries = await readdir(path, { withFileTypes: true }).catch(refusal(path));
  const files: string[] = [];
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const inner = join(path, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(inner, depth + 1)));
    else if (extensions.has(extname(entry.name).toLowerCase())) files.push(inner);
  }
  return files;
}

function refusal(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new CommandError(`cannot read ${JSON.stringify(path)}: ${fileTrouble(cause)}`, { cause });
  };
}

import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
/** Folders of fewer files are reported. */
const FEW_FILES = 3;
/** Shorter files with only one importer, in the same folder, are reported. */
const FEW_LINES = 60;

/** Sources by path, relative to the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

/** How the sources are divided into files and folders. Tests are not counted, except where a folder has too few files. */
export interface Structure {
  readonly files: number;
  readonly folders: number;
  readonly lines: number;
  readonly medianLines: number;
  /** Nine of ten files have at most as many lines. */
  readonly p90Lines: number;
  readonly deepestPath: string;
  /** Files that one file alone imports, which is in the same folder. */
  readonly satellites: readonly string[];
  /** Satellites that are short enough to be part of the file that imports them. */
  readonly shortSatellites: readonly string[];
  readonly smallFolders: readonly string[];
}

/** Returns the sources of the program and the dashboard. */
export function readSources(): Sources {
  const paths = globSync("{src,dashboard}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["dashboard/api/schema.ts"],
  });
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

export function structureOf(sources: Sources): Structure {
  const files = [...sources.keys()].filter((path) => !isTest(path));
  const lengths = files.map((path) => linesOf(sources, path)).toSorted((one, other) => one - other);
  const importers = importersIn(sources);
  const satellites = files.filter((path) => {
    const [importer, ...others] = importers.get(path) ?? [];
    return importer !== undefined && others.length === 0 && dirname(importer) === dirname(path);
  });
  return {
    files: files.length,
    folders: new Set(files.map((path) => dirname(path))).size,
    lines: lengths.reduce((sum, length) => sum + length, 0),
    medianLines: quantile(lengths, 0.5),
    p90Lines: quantile(lengths, 0.9),
    deepestPath: files.reduce((deepest, path) => (depth(path) > depth(deepest) ? path : deepest)),
    satellites,
    shortSatellites: satellites.filter((path) => linesOf(sources, path) < FEW_LINES),
    smallFolders: [...Map.groupBy(sources.keys(), (path) => dirname(path))]
      .filter(([folder, paths]) => paths.length < FEW_FILES && !hasSubfolders(sources, folder))
      .map(([folder]) => folder),
  };
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

function linesOf(sources: Sources, path: string): number {
  return (sources.get(path) ?? "").split("\n").length - 1;
}

function depth(path: string): number {
  return dirname(path).split("/").length;
}

function hasSubfolders(sources: Sources, folder: string): boolean {
  return sources.keys().some((path) => dirname(path).startsWith(`${folder}/`));
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}

/** The files that import each file, tests excluded. */
function importersIn(sources: Sources): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [from, text] of sources) {
    if (isTest(from)) continue;
    for (const [, specifier = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
      const path = join(dirname(from), specifier);
      importers.set(path, (importers.get(path) ?? new Set()).add(from));
    }
  }
  return importers;
}

/** The report of `npm run static`: figures to compare, and what may be merged. It refuses nothing. */
export function reportOf(structure: Structure): string {
  const { deepestPath, satellites, shortSatellites, smallFolders } = structure;
  const figures = [
    ["files without tests", structure.files],
    ["folders", structure.folders],
    ["lines without tests", structure.lines],
    ["median of lines a file", structure.medianLines],
    ["90% of files have at most", structure.p90Lines],
    ["files with one importer, beside them", satellites.length],
    [`folders of the deepest path, ${deepestPath}`, depth(deepestPath)],
  ] as const;
  const byFolder = Map.groupBy(shortSatellites, (path) => dirname(path));
  return [
    ...figures.map(([name, value]) => `${value.toLocaleString("en-US").padStart(9)}  ${name}`),
    `${smallFolders.length} folders have fewer than ${FEW_FILES} files:`,
    ...smallFolders.map((folder) => `  ${folder}`),
    `${shortSatellites.length} files have fewer than ${FEW_LINES} lines, and one importer, beside them:`,
    ...[...byFolder].map(
      ([folder, paths]) => `  ${folder}: ${paths.map((path) => basename(path)).join(" ")}`,
    ),
  ].join("\n");
}

if (import.meta.main) console.log(reportOf(structureOf(readSources())));

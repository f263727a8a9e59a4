import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

const root = join(import.meta.dirname, "../..");

const bundled = z.object({
  version: z.string().default(""),
  license: z.string().optional(),
  os: z.union([z.string(), z.array(z.string())]).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean() })).default({}),
});
const lockFile = z.object({ packages: z.record(z.string(), bundled) });

/** A package of the npm registry that the program loads, as package-lock.json has it. */
export interface BundledPackage {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
}

/** The program itself as it runs, relative to the root of the repository: without tests, and without the sources of the dashboard, which is built. */
export function programFiles(): readonly string[] {
  return globSync(["watchpost", "LICENSE", "package.json", "src/**/*.*", "dist/client/**/*"], {
    cwd: root,
    exclude: ["**/*.test.ts", "**/*.md"],
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

/** Returns packages loaded at run time on this machine, without those used only to build the dashboard. */
export function bundledPackages(): readonly BundledPackage[] {
  const { packages } = lockFile.parse(
    JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")),
  );
  const found = new Set<string>();
  const wanted = [...loadedPackages(), runtimePackage()].map((name) => ({ name, from: "" }));
  for (const { name, from } of wanted) {
    const path = resolvePackage(name, from, packages);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    for (const dependency of dependenciesOf(path, packages))
      wanted.push({ name: dependency, from: path });
  }
  return [...found].toSorted().map((path) => ({
    path,
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    version: packages[path]?.version ?? "",
    license: packages[path]?.license,
  }));
}

/** The package of the Node that runs the program on this machine. */
export function runtimePackage(): string {
  return `node-${process.platform}-${process.arch}`;
}

/** The files of a package, relative to the root: not what is only for who develops with it. */
export function filesOfPackage({ path, name }: BundledPackage): readonly string[] {
  if (name === runtimePackage()) return [join(path, "bin/node"), join(path, "LICENSE")];
  return filesIn(path);
}

/** Tests, sources of what is compiled, and the packages in a package, which are listed by themselves where they are loaded. */
const UNUSED_FOLDER =
  /^(?:\..*|node_modules|__tests__|tests?|spec|integration|bench|benchmarks?|examples?|musl_.*)$/;
const UNUSED_FILE = /^\.|\.(?:d\.[mc]?ts|map|md|markdown|sh|html|cc|cpp|h|hh)$/i;

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return UNUSED_FOLDER.test(entry.name) ? [] : filesIn(path);
    return entry.isFile() && !UNUSED_FILE.test(entry.name) ? [path] : [];
  });
}

function loadedPackages(): readonly string[] {
  const { packages } = lockFile.parse(
    JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")),
  );
  const declared = Object.keys(packages[""]?.dependencies ?? {});
  const sources = programFiles().filter((path) => /^src\/.*\.ts$/.test(path));
  const texts = sources.map((path) => readFileSync(join(root, path), "utf8"));
  const imported = texts.flatMap((text) =>
    [
      ...text.matchAll(/(?:\bfrom |\bimport |\bimport\(|\bresolve\(|\brequire\()"([^".][^"]*)"/g),
    ].map(([, specifier = ""]) => specifier),
  );
  return declared.filter((name) =>
    imported.some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
  );
}

type Packages = z.output<typeof lockFile>["packages"];

/** Where Node finds it, from a package or from the root. Undefined where it is not installed, being for another machine. */
function resolvePackage(name: string, from: string, packages: Packages): string | undefined {
  const path = join(from, "node_modules", name);
  if (packages[path] !== undefined) return existsSync(join(root, path)) ? path : undefined;
  if (from === "") throw new Error(`package-lock.json has no ${name}`);
  const end = from.lastIndexOf("node_modules/");
  return resolvePackage(name, from.slice(0, Math.max(0, end - 1)), packages);
}

function dependenciesOf(path: string, packages: Packages): readonly string[] {
  const entry = packages[path];
  if (entry === undefined) return [];
  const peers = Object.keys(entry.peerDependencies).filter(
    (name) => entry.peerDependenciesMeta[name]?.optional !== true,
  );
  // Optional packages that are compiled for a machine. Others would need a compiler, which installations lack.
  const compiled = Object.keys(entry.optionalDependencies).filter((name) => {
    const resolved = packages[`node_modules/${name}`];
    return resolved?.os !== undefined;
  });
  const optional = new Set(Object.keys(entry.optionalDependencies));
  const needed = Object.keys(entry.dependencies).filter((name) => !optional.has(name));
  return [...needed, ...peers, ...compiled];
}

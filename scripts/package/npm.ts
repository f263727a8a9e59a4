import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

import manifest from "../../package.json" with { type: "json" };
import { bundledPackages, filesOfPackage, programFiles, runtimePackage } from "./program-files.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "dist", "npm");
/** Has a package for each kind of machine, which npm chooses where it installs. */
const CHOSEN_BY_NPM = "koffi";

rmSync(folder, { recursive: true, force: true });
const bundled = bundledPackages().filter(
  ({ name }) => name !== runtimePackage() && !/(?:^|\/)koffi/.test(name),
);
compile();
for (const path of [
  ...globSync(["README.md", "CHANGELOG.md", "docs/*.{md,json}", "deploy/*.conf"], { cwd: root }),
  ...bundled.flatMap(filesOfPackage),
])
  copy(path);
writeFileSync(
  join(folder, "package.json"),
  `${JSON.stringify(manifestOfPackage(), undefined, 2)}\n`,
);
const packed = spawnSync("npm", ["pack", "--pack-destination", join(root, "dist"), "--silent"], {
  cwd: folder,
  encoding: "utf8",
});
rmSync(folder, { recursive: true });
if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stderr}`);
process.stdout.write(`${join(root, "dist", packed.stdout.trim())}\n`);

/** Node strips no types below node_modules, where the package will be. */
function compile(): void {
  for (const path of programFiles().filter((each) => each !== "package.json")) {
    if (!path.endsWith(".ts")) copy(path, path.replace(/^src\//, "program/"));
    else {
      const target = made(path.replace(/^src\//, "program/").replace(/\.ts$/, ".js"));
      const source = stripTypeScriptTypes(readFileSync(join(root, path), "utf8"));
      writeFileSync(target, importingScripts(source));
    }
  }
}

function importingScripts(source: string): string {
  return source.replaceAll(
    /((?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*"[^"\n]*)\.ts"/g,
    (_, before: string) => `${before}.js"`,
  );
}

/** Depends on the very versions of the lock file; npm installs nothing but what differs by machine. */
function manifestOfPackage(): object {
  const { name, version, description, license, type, bin, engines } = manifest;
  const direct = bundled.filter(
    (each) =>
      Object.hasOwn(manifest.dependencies, each.name) && each.path === `node_modules/${each.name}`,
  );
  const versions = new Map(bundledPackages().map((each) => [each.name, each.version]));
  return {
    name,
    version,
    description,
    license,
    type,
    bin,
    engines,
    dependencies: {
      ...Object.fromEntries(direct.map((each) => [each.name, each.version])),
      [CHOSEN_BY_NPM]: versions.get(CHOSEN_BY_NPM),
    },
    bundleDependencies: direct.map((each) => each.name),
    optionalDependencies: manifest.optionalDependencies,
  };
}

function copy(path: string, to = path): void {
  copyFileSync(join(root, path), made(to));
}

function made(path: string): string {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  return target;
}

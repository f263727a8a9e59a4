import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { runtimePackage, type BundledPackage } from "./program-files.ts";

const root = join(import.meta.dirname, "../..");

/** The licence of the program, and that of each package that comes with it in full. Throws for one that says nothing of its licence. */
export function copyrightFile(packages: readonly BundledPackage[]): string {
  const own = `Watchpost is licensed under the Apache License, version 2.0, which is in
/usr/share/common-licenses/Apache-2.0 on Debian systems.

It comes with the following packages of the npm registry, in
/usr/lib/watchpost/node_modules, each under its own licence. The Node that runs
it is that of the package ${runtimePackage()}, whose licence names those of its parts.
`;
  const sections = packages.map((each) => {
    const title = `${each.name} ${each.version}: ${each.license ?? "see below"}`;
    return `${"-".repeat(78)}\n${title}\nhttps://www.npmjs.com/package/${each.name}/v/${each.version}\n\n${licenceOf(each).trim()}\n`;
  });
  return [own, ...sections].join("\n");
}

function licenceOf({ path, name, version, license }: BundledPackage): string {
  const folder = join(root, path);
  const files = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file))
    .toSorted();
  if (files.length > 0)
    return files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  // Some say it at the end of what they say of themselves.
  const readme = ["README.md", "readme.md", "Readme.md"].find((file) =>
    existsSync(join(folder, file)),
  );
  const text = readme === undefined ? "" : readFileSync(join(folder, readme), "utf8");
  const [, section] = /\n#+ *licen[cs]e[^\n]*\n([^]*?)(?=\n#+ |$)/i.exec(text) ?? [];
  if (section !== undefined) return section;
  if (license !== undefined) return `Its package says: ${license}.`;
  throw new Error(`${name} ${version} does not say under which licence it is`);
}

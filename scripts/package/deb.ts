import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

import manifest from "../../package.json" with { type: "json" };
import { buildDeb } from "./build-deb.ts";
import { bundledPackages } from "./program-files.ts";

const root = join(import.meta.dirname, "../..");

const HELP = `npm run package:deb -- [--version <version>] [--folder <folder>] [--quick]

Builds the Debian package for this machine: dist/watchpost_<version>_<architecture>.deb

  --version   another one than that of package.json, such as 0.2.0-rc.1
  --folder    another one than dist
  --quick     compresses less, for a trial

The same commit gives the same bytes: SOURCE_DATE_EPOCH is the time of the commit where it is not set. DEBFULLNAME and DEBEMAIL name
who builds it.
`;

const { values } = parseArgs({
  options: {
    version: { type: "string", default: manifest.version },
    folder: { type: "string", default: join(root, "dist") },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else
  process.stdout.write(
    `${buildDeb(
      {
        version: values.version,
        architecture: process.arch === "x64" ? "amd64" : process.arch,
        maintainer: `${process.env["DEBFULLNAME"] ?? "Watchpost"} <${process.env["DEBEMAIL"] ?? "watchpost@example.com"}>`,
        builtAt: Number(process.env["SOURCE_DATE_EPOCH"] ?? timeOfCommit()),
        bundled: bundledPackages(),
        completion,
      },
      { folder: values.folder, compression: values.quick ? "zstd" : "xz" },
    )}\n`,
  );

function timeOfCommit(): string {
  try {
    return execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  } catch (error) {
    throw new Error("outside of a clone, SOURCE_DATE_EPOCH says of when the sources are", {
      cause: error,
    });
  }
}

function completion(shell: "bash" | "fish"): string {
  return execFileSync(process.execPath, [join(root, "src/main.ts"), "completion", shell], {
    encoding: "utf8",
  });
}

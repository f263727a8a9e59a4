import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { root } from "../../../test/e2e/process.ts";

const VERSION = "2.0.0-dev.0";
const folder = join(root, "node_modules/.cache/scoreboard/uptime-kuma");
/** Where the package is. */
export const home = join(folder, "node_modules/uptime-kuma");

/** Installs the package of the npm registry, without install scripts, which would download or compile the driver of SQLite. */
export async function prepare(): Promise<void> {
  if (existsSync(home)) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await promisify(execFile)("npm", ["install", ...quiet, `uptime-kuma@${VERSION}`], {
    cwd: folder,
    maxBuffer: 2 ** 26,
  });
}

export async function version(): Promise<string> {
  const text = await readFile(join(home, "package.json"), "utf8");
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { codeOf } from "./errors.ts";

/** Makes a folder and its parents with access for the owner only. Node's recursive option never returns if a parent cannot contain folders, as in /proc. */
export function createPrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    createPrivateFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

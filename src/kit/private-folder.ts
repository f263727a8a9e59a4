import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { codeOf } from "./errors.ts";

/** Makes a folder with all above it, for its owner alone. Node's own recursive way never returns where a parent takes no folders, as in /proc. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    makePrivateFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

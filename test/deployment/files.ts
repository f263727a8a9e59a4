import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { settings } from "../../src/settings/settings.ts";

export const root = join(import.meta.dirname, "../..");

/** Where images and units have the program. */
export const INSTALLED = "/opt/watchpost";

export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Throws where one of these is no setting, or has a value that the program refuses. */
export function assertSettings(given: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (name === "WATCHPOST_FILE") continue;
    assert.ok(Object.hasOwn(settings.shape, name), `${name} is no setting`);
    const parsed = settings.safeParse({ [name]: value });
    assert.ok(parsed.success, `${name}=${value}: ${parsed.error?.message}`);
  }
}

/** Returns the settings in a file by name, from lines such as `Environment=NAME=value` whose name and value are groups of the expression. */
export function settingsIn(text: string, line: RegExp): Readonly<Record<string, string>> {
  const found = [...text.matchAll(line)].map(([, name = "", value = ""]) => [name, value]);
  return Object.fromEntries(found.filter(([name]) => name?.startsWith("WATCHPOST_")));
}

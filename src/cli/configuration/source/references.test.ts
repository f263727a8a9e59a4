import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { loadFiles } from "../load.ts";

const root = mkdtempSync(join(tmpdir(), "watchpost-references-"));
after(() => rmSync(root, { recursive: true }));
const folder = join(root, "config");
mkdirSync(join(folder, "secrets"), { recursive: true });
mkdirSync(join(root, "config-other"));
for (const file of [
  "outside.txt",
  "config-other/key.txt",
  "config/key.txt",
  "config/secrets/key.txt",
])
  writeFileSync(join(root, file), "the text\n");
symlinkSync(join(root, "outside.txt"), join(folder, "link.txt"));
symlinkSync(root, join(folder, "up"));
symlinkSync("secrets/key.txt", join(folder, "inner.txt"));

/** The label of a check that is the text of the file, or what is wrong with it. */
async function labelFrom(path: string): Promise<unknown> {
  const file = join(folder, "a.yaml");
  writeFileSync(file, `checks:\n  job: { type: PUSH, label: "\${file:${path}}" }\n`);
  const { declaration, faults } = await loadFiles([file], {
    environment: {},
    readInput: async () => "",
  });
  try {
    faults.assertNone();
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
  return JSON.stringify(declaration, (_, value: unknown) =>
    value instanceof Map ? [...value] : value,
  ).includes("the text");
}

for (const path of ["key.txt", "./secrets/key.txt", "secrets/../key.txt", "inner.txt"])
  test(`a reference to ${path} is the text of a file in the folder`, async () =>
    assert.equal(await labelFrom(path), true));

for (const path of [
  "../outside.txt",
  "../config-other/key.txt",
  "secrets/../../outside.txt",
  "link.txt",
  "up/outside.txt",
  "../no-such-file.txt",
  "/etc/passwd",
  join(folder, "key.txt"),
])
  test(`a reference to ${path.replace(root, "<root>")} is refused, because it leads out of the folder`, async () =>
    assert.match(
      String(await labelFrom(path)),
      /checks\.job\.label: cannot read ".*": it is outside the folder of the file that refers to it/,
    ));

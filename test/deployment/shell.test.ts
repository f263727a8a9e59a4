import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { read, root } from "./files.ts";

const scripts = globSync("**/*", {
  cwd: root,
  exclude: ["**/node_modules", "dist", "data", "test-output", "**/*.{ts,tsx,js,md,json,png,css}"],
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  .concat([".ci/run"])
  .filter((path) => /^#!\/.*\b(?:sh|bash)\n/.test(read(path)));

/** Gives what it finds, nothing where all is well. */
function shellcheck(text: string, ...args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync("shellcheck", ["--color=never", ...args, "-"], {
    input: text,
    encoding: "utf8",
  });
  assert.equal(error, undefined);
  return `${stdout}${stderr}`;
}

test("every script that comes with the program is found", () => {
  for (const path of ["watchpost", "deploy/setup.sh", ".ci/run"])
    assert.ok(scripts.includes(path), path);
});

for (const path of scripts)
  test(`shellcheck finds nothing in ${path}`, () => assert.equal(shellcheck(read(path)), ""));

test("shellcheck finds nothing in the completion for bash", () => {
  const { stdout } = spawnSync(process.execPath, ["src/main.ts", "completion", "bash"], {
    cwd: root,
    encoding: "utf8",
  });
  assert.match(stdout, /^_watchpost\(\)/);
  assert.equal(shellcheck(stdout, "--shell=bash"), "");
});

test("the commands in the documents are ones that a shell can read", () => {
  const documents = globSync(["*.md", "docs/*.md"], { cwd: root });
  const blocks = documents.flatMap((path) =>
    [...read(path).matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = ""]) => ({ path, text })),
  );
  assert.ok(blocks.length > 20);
  // Placeholders are in angle brackets. Unquoted words and variables of earlier blocks are not errors.
  const functions = blocks.map(
    ({ path, text }, index) =>
      `# ${path}\nblock${index}() {\n${text.replaceAll(/<[a-z][^<>\n]*>/g, "value")}\n:\n}\n`,
  );
  assert.equal(shellcheck(functions.join(""), "--shell=bash", "--severity=error"), "");
});

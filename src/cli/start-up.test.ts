import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const STATIC_IMPORT = /^(?:import|export)\s(?!type\s)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;

/** The packages that a file loads before anything of it runs, itself or through the files that it imports. */
function packagesOf(first: string): readonly string[] {
  const [seen, packages, waiting] = [new Set<string>(), new Set<string>(), [join(root, first)]];
  for (const file of waiting) {
    if (seen.has(file) || file.endsWith(".json")) continue;
    seen.add(file);
    for (const [, named = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT))
      if (named.startsWith(".")) waiting.push(join(file, "..", named));
      else if (!named.startsWith("node:")) packages.add(named);
  }
  return [...packages].toSorted();
}

test("the program loads no package before it knows what is wanted, and commander alone for its help", () => {
  assert.deepEqual(packagesOf("src/main.ts"), []);
  assert.deepEqual(packagesOf("src/cli/program.ts"), ["commander"]);
});

test("commands load nothing of the API, not even to call it", () => {
  const own = ["check/add", "check/show", "check/alerts", "check/switch", "contact-list"];
  const others = ["contact-test", "contexts/login", "doctor", "tail"];
  const files = [...own, ...others].map((command) => `src/cli/commands/${command}.ts`);
  const shared = ["src/cli/complete.ts", "src/cli/derived/operation-command.ts"];
  for (const file of [...files, ...shared])
    for (const name of packagesOf(file)) assert.equal(name, "commander", file);
});

test("what manages tokens loads no log, and no store where a service runs", () => {
  assert.deepEqual(packagesOf("src/server/local-administration.ts"), ["zod"]);
});

test("a command that works on files loads nothing of the API for its help", () => {
  for (const command of ["backup", "restore", "store-copy", "token-list"])
    assert.deepEqual(packagesOf(`src/cli/commands/${command}.ts`), [], command);
});

test("a package that is loaded through other files is found", () => {
  assert.ok(packagesOf("src/cli/commands/configuration/apply.ts").includes("zod"));
});

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");

interface Installed {
  readonly code: number | null;
  readonly said: string;
  /** The arguments of every program that was run, a line each. */
  readonly ran: string;
}

/** Runs the installation in a folder of its own, where npm and apt-get are scripts. */
function install(
  { npm, aptGet, isComplete }: { npm?: string; aptGet?: string; isComplete: boolean },
  ...args: readonly string[]
): Installed {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-install-"));
  try {
    const ran = join(folder, "ran");
    for (const name of ["scripts", "bin", "node_modules/.bin"])
      mkdirSync(join(folder, name), { recursive: true });
    cpSync(join(root, "scripts/install.mjs"), join(folder, "scripts/install.mjs"));
    writeFileSync(
      join(folder, "package-lock.json"),
      JSON.stringify({ packages: { "": { dependencies: {}, devDependencies: {} } } }),
    );
    writeFileSync(ran, "");
    if (isComplete) writeFileSync(join(folder, "node_modules/.bin/node"), "");
    for (const [name, script] of Object.entries({ npm, "apt-get": aptGet }))
      if (script !== undefined)
        writeFileSync(
          join(folder, "bin", name),
          `#!/bin/sh\necho ${name} "$@" >> "${ran}"\n${script}\n`,
          { mode: 0o755 },
        );
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(folder, "scripts/install.mjs"), ...args],
      { env: { PATH: join(folder, "bin") }, encoding: "utf8" },
    );
    return { code: status, said: stderr, ran: readFileSync(ran, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("where everything is installed nothing is run", () => {
  assert.deepEqual(install({ isComplete: true }), { code: 0, said: "", ran: "" });
});

test("a failed npm ci is reported in a sentence, with its exit code", () => {
  const { code, said, ran } = install({ npm: "exit 7", isComplete: false });
  assert.equal(code, 7);
  assert.match(said, /^The dependencies could not be installed: "npm ci .*" ended with 7\.$/m);
  assert.equal(ran.trim().split("\n").length, 1);
  // The scripts of packages do not run.
  assert.match(ran, /^npm ci --ignore-scripts /);
});

test("a failed npm rebuild of the runtime is reported in a sentence, with its exit code", () => {
  const { code, said } = install({ npm: '[ "$1" = ci ]', isComplete: false });
  assert.equal(code, 1);
  assert.match(said, /^The Node that runs Watchpost .*: "npm rebuild node" ended with 1\.$/m);
});

test("an npm rebuild that downloads nothing is reported in a sentence", () => {
  const { code, said } = install({ npm: "exit 0", isComplete: false });
  assert.equal(code, 1);
  assert.match(
    said,
    /^The Node that runs Watchpost .*: there is no .*node_modules\/\.bin\/node\.$/m,
  );
});

test("a missing npm is reported in a sentence", () => {
  const { code, said } = install({ isComplete: false });
  assert.equal(code, 1);
  assert.match(said, /^The dependencies could not be installed: "npm ci .*" did not start \(/m);
});

test("apt-get waits for another one, and what it could not install is named", () => {
  const { code, said, ran } = install({ aptGet: "exit 100", isComplete: true }, "--with-tests");
  assert.equal(code, 1);
  assert.match(ran, /^apt-get -o DPkg::Lock::Timeout=\d{3,} update -qq$/m);
  assert.match(ran, /^apt-get -o DPkg::Lock::Timeout=\d{3,} install --yes .* ffmpeg /m);
  assert.match(said, /^"apt-get install .*" ended with 100\.$/m);
  assert.match(said, /^The tests need programs that are not installed\. .* ffmpeg /m);
});

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { z } from "zod";

import { hasEnded } from "./child-processes.ts";
import { waitFor } from "./time/wait-for.ts";

const root = join(import.meta.dirname, "..");

interface Installed {
  readonly code: number | null;
  readonly said: string;
  /** The arguments of every program that was run, a line each. */
  readonly ran: string;
}

const RUNTIME = `node-${process.platform}-${process.arch}`;
const PROGRAM = "the program of the runtime";

interface Given {
  readonly npm?: string;
  readonly aptGet?: string;
  readonly isComplete: boolean;
  /** The program that is there where the installation is complete. */
  readonly program?: string;
  /** The package of the runtime whose hash is recorded. */
  readonly recorded?: string;
}

/** Runs the installation in a folder of its own, where npm and apt-get are scripts. */
function install(given: Given, ...args: readonly string[]): Installed {
  using folder = createFolder(given);
  return folder.install(...args);
}

function createFolder({ npm, aptGet, isComplete, program = PROGRAM, recorded = RUNTIME }: Given) {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-install-"));
  const path = (name: string): string => join(folder, name);
  for (const name of ["scripts", "bin", `node_modules/${RUNTIME}/bin`])
    mkdirSync(path(name), { recursive: true });
  cpSync(join(root, "scripts/install.mjs"), path("scripts/install.mjs"));
  const sha256 = createHash("sha256").update(PROGRAM).digest("hex");
  const lock = { "": {}, [`node_modules/${RUNTIME}`]: { version: "1.0.0" } };
  writeFileSync(path("package-lock.json"), JSON.stringify({ packages: lock }));
  writeFileSync(path("scripts/runtime.json"), JSON.stringify({ [recorded]: sha256 }));
  writeFileSync(path("ran"), "");
  if (isComplete) {
    writeFileSync(path(`node_modules/${RUNTIME}/package.json`), '{"version":"1.0.0"}');
    writeFileSync(path(`node_modules/${RUNTIME}/bin/node`), program);
  }
  for (const [name, script] of Object.entries({ npm, "apt-get": aptGet }))
    if (script !== undefined)
      writeFileSync(
        path(`bin/${name}`),
        `#!/bin/sh\necho ${name} "$@" >> "${path("ran")}"\n${script}\n`,
        { mode: 0o755 },
      );
  return {
    path,
    install(...args: readonly string[]): Installed {
      const { status, stderr } = spawnSync(
        process.execPath,
        [path("scripts/install.mjs"), ...args],
        {
          env: { PATH: path("bin"), NODE_OPTIONS: process.env.NODE_OPTIONS ?? "" },
          encoding: "utf8",
        },
      );
      return { code: status, said: stderr, ran: readFileSync(path("ran"), "utf8") };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test("where everything is installed nothing is run", () => {
  assert.deepEqual(install({ isComplete: true }), { code: 0, said: "", ran: "" });
});

test("a failed npm ci is reported in a sentence, with its exit code", () => {
  const { code, said, ran } = install({ npm: "exit 7", isComplete: false });
  assert.equal(code, 7);
  assert.match(
    said,
    /^The dependencies could not be installed: "npm ci .*" ended with 7\. .*"npm ping".*\.$/m,
  );
  assert.equal(ran.trim().split("\n").length, 1);
  // The scripts of packages do not run.
  assert.match(ran, /^npm ci --ignore-scripts /);
});

test("an installation says how long it has taken, gives up where nothing arrives, and npm tries again soon", () => {
  using folder = createFolder({ npm: "exec /bin/sleep 1000", isComplete: false });
  // A millisecond in the place of a second.
  const script = folder.path("scripts/install.mjs");
  const source = readFileSync(script, "utf8");
  assert.ok(source.includes("PROGRESS_EVERY_SECONDS * 1000"));
  writeFileSync(script, source.replace("PROGRESS_EVERY_SECONDS * 1000", "PROGRESS_EVERY_SECONDS"));
  const { code, said, ran } = folder.install();
  assert.equal(code, 1);
  assert.match(said, /^Installing for 10 s: \d+ files so far\.$/m);
  assert.match(
    said,
    /^The dependencies could not be installed: "npm ci .*" received nothing for 120 s\. /m,
  );
  assert.match(ran, /--fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000/);
});

test("an installation that is stopped ends npm", async () => {
  using folder = createFolder({ npm: "echo $$ >> ran; exec sleep 1000", isComplete: false });
  const child = spawn(process.execPath, [folder.path("scripts/install.mjs")], {
    env: { PATH: `${folder.path("bin")}:/bin:/usr/bin` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = text(child.stderr);
  const ended = once(child, "exit");
  const npm = await waitFor(
    "npm runs",
    () => /^(\d+)$/m.exec(readFileSync(folder.path("ran"), "utf8"))?.[1],
  );
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [143, null]);
  assert.equal(
    await said,
    "Installing what is missing (once).\nThe installation was stopped by SIGTERM.\n",
  );
  await waitFor("npm has ended", () => hasEnded(Number(npm)));
});

test("a runtime that npm did not download, or refused, is reported in a sentence", () => {
  const { code, said } = install({ npm: "exit 0", isComplete: false });
  assert.equal(code, 1);
  assert.match(
    said,
    /^The Node that runs Watchpost could not be installed: node-\S+ was not downloaded, or is not what package-lock\.json records\. Check .*\.$/m,
  );
});

test("a machine that no runtime is made for is named in a sentence", () => {
  const { code, said } = install({ isComplete: true, recorded: "node-os-cpu" });
  assert.equal(code, 1);
  assert.match(
    said,
    /^Watchpost comes with a Node for node-os-cpu, and with none for \S+ on \S+\.$/m,
  );
});

// guard: the recorded runtime
test("a runtime that is not the recorded one is refused", () => {
  const { code, said, ran } = install({ isComplete: true, program: "another" });
  assert.equal(code, 1);
  assert.match(
    said,
    /^The Node that runs Watchpost is not the one that scripts\/runtime\.json records: .*\.$/m,
  );
  assert.equal(ran, "");
});

test("a runtime that was changed after it was verified is refused", () => {
  using folder = createFolder({ isComplete: true });
  assert.equal(folder.install().code, 0);
  assert.equal(folder.install().code, 0);
  writeFileSync(folder.path(`node_modules/${RUNTIME}/bin/node`), PROGRAM.replace("the", "The"));
  assert.equal(folder.install().code, 1);
});

test("the runtime is linked where npm did not, or linked another", () => {
  using folder = createFolder({ isComplete: true });
  const link = folder.path("node_modules/.bin/node");
  const linked = (): string => readFileSync(link, "utf8");
  assert.equal(folder.install().code, 0);
  assert.equal(linked(), PROGRAM);
  rmSync(link);
  symlinkSync("../another", link);
  assert.equal(folder.install().code, 0);
  assert.equal(linked(), PROGRAM);
});

test("the lock file and the recorded hashes cover the same runtimes in one version", () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), "utf8"));
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(read("package.json"));
  const recorded = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));
  assert.deepEqual(
    Object.keys(recorded.parse(read("scripts/runtime.json"))).toSorted(),
    Object.keys(optionalDependencies).toSorted(),
  );
  const locked = z.object({ version: z.string(), integrity: z.string().startsWith("sha512-") });
  const { packages } = z
    .object({ packages: z.record(z.string(), z.unknown()) })
    .parse(read("package-lock.json"));
  const [version, ...others] = new Set(Object.values(optionalDependencies));
  assert.deepEqual(others, []);
  for (const name of Object.keys(optionalDependencies))
    assert.equal(locked.parse(packages[`node_modules/${name}`]).version, version);
});

test("no package of the lock file but those that are known runs a script when it is installed", () => {
  const { packages } = z
    .object({
      packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })),
    })
    .parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.literal(false)) })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  assert.deepEqual(
    withScript.map((path) => path.replace("node_modules/", "")).toSorted(),
    Object.keys(allowScripts).toSorted(),
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

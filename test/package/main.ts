import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

import manifest from "../../package.json" with { type: "json" };
import { boot, makeRoot } from "./container.ts";
import { debSteps } from "./deb-steps.ts";
import { npmSteps } from "./npm-steps.ts";

const root = join(import.meta.dirname, "../..");

const HELP = `npm run package:test -- [--only deb|npm] [--lintian]

Builds the packages and installs them where nothing else is: the Debian package twice, compared, in a fresh Debian by mmdebstrap that
systemd boots by systemd-nspawn, from the installation over an upgrade to the purge; the npm package in an empty folder. It needs root,
mmdebstrap, systemd-container and the way to Debian's mirror and the npm registry, and takes about five minutes.

  --only      one of both
  --lintian   judges the Debian package by lintian, too, in three minutes more
`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    lintian: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else await main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-package-"));
  try {
    if (values.only !== "npm") await testDeb(folder);
    if (values.only !== "deb") for (const each of npmSteps(folder)) await step(...each);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function testDeb(folder: string): Promise<void> {
  const system = join(folder, "root");
  const { version } = manifest;
  const next = `${version}+next`;
  await step("it is built, the same bytes twice", () => {
    const sums = ["first", "again"].map((name) => sha256(build(version, join(folder, name))));
    assert.equal(sums[0], sums[1]);
  });
  if (values.lintian)
    await step("lintian finds nothing in it", () => lintian(debIn(join(folder, "first"), version)));
  await step("there is a fresh Debian", () => makeRoot(system));
  for (const [from, of] of [
    [join(folder, "first"), version],
    [folder, next],
  ] as const) {
    const path = of === version ? debIn(from, of) : build(of, from);
    copyFileSync(path, join(system, "root", basename(path)));
  }
  await using container = await boot(system);
  for (const each of debSteps(container, { version, next })) await step(...each);
}

/** Says that it succeeded. */
async function step(name: string, act: () => void | Promise<void>): Promise<void> {
  await act();
  process.stdout.write(`ok ${name}\n`);
}

function build(version: string, folder: string): string {
  const args = ["scripts/package/deb.ts", "--quick", "--version", version, "--folder", folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

function debIn(folder: string, version: string): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  return join(folder, `watchpost_${version}_${architecture}.deb`);
}

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Debian 12 has no name for the compression of --quick. */
function lintian(path: string): void {
  const options = ["--allow-root", "--fail-on", "error,warning"];
  const { stdout, stderr, status, error } = spawnSync(
    "lintian",
    [...options, "--suppress-tags", "malformed-deb-archive", path],
    { encoding: "utf8" },
  );
  assert.equal(status, 0, error?.message ?? `${stdout}${stderr}`);
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseEnv } from "node:util";
import { test } from "node:test";

import { debianChangelog, debianVersion } from "../../scripts/package/debian-changelog.ts";
import { debianUnits } from "../../scripts/package/debian-files.ts";
import { bundledPackages, programFiles } from "../../scripts/package/program-files.ts";
import { copyrightFile } from "../../scripts/package/copyright.ts";
import { assertSettings, read, root } from "./files.ts";

const files = programFiles();

test("a package has every file of the program that another one imports", () => {
  const packed = new Set(files);
  const sources = files.filter((path) => path.endsWith(".ts"));
  assert.ok(sources.length > 500);
  for (const path of sources)
    for (const [, imported = ""] of readFileSync(join(root, path), "utf8").matchAll(
      /(?:\bfrom |\bimport |\bimport\(|\bnew URL\()"(\.[^"]*\.\w+)"/g,
    )) {
      const target = posix.join(posix.dirname(path), imported);
      assert.ok(packed.has(target), `${path} imports ${target}`);
    }
});

test("a package has what the program loads of the registry, and nothing that only builds the dashboard or tests", () => {
  const names = new Set(bundledPackages().map(({ name }) => name));
  for (const name of ["fastify", "koffi", "pg", "ssh2", "zod", `node-linux-${process.arch}`])
    assert.ok(names.has(name), name);
  for (const name of ["vite", "react", "typescript", "playwright-core"])
    assert.ok(!names.has(name), name);
});

test("the licence of everything that comes with it is stated", () => {
  const text = copyrightFile(bundledPackages());
  for (const { name, version } of bundledPackages())
    assert.ok(text.includes(`\n${name} ${version}: `), name);
});

test("the units of the package lead nowhere but to what it installs", () => {
  const units = debianUnits();
  assert.equal(units.length, 3);
  for (const { name, text } of units) {
    assert.doesNotMatch(text, /\/opt\//, name);
    assert.match(text, /^ExecStart=\/usr\/lib\/watchpost\/watchpost\b/m);
    assert.match(text, /^WorkingDirectory=\/usr\/lib\/watchpost$/m);
    assert.match(text, /^Documentation=file:\/\/\/usr\/share\/doc\/watchpost\/docs\/\w+\.md$/m);
  }
});

test("the settings file of the package proposes settings that there are, and sets none", () => {
  const text = read("deploy/debian/watchpost.env");
  assert.deepEqual({ ...parseEnv(text) }, {});
  const proposed = parseEnv(text.replaceAll(/^#(?=WATCHPOST_)/gm, ""));
  assert.ok(Object.keys(proposed).length > 5);
  for (const [name, value] of Object.entries(proposed)) assertSettings({ [name]: value ?? "" });
});

test("the changes are listed in Debian's format, and a version before another one sorts before it", () => {
  const said = debianChangelog(
    [
      { version: undefined, date: undefined, body: `- [FEATURE] ${"long ".repeat(20)}line.` },
      { version: "0.1.0", date: "2026-11-23", body: "### Part\n\n- [BUGFIX] One.\n- Two." },
    ],
    { version: "0.2.0-rc.1", maintainer: "Someone <someone@example.com>", builtAt: 1_790_000_000 },
  );
  assert.match(
    said,
    /^watchpost \(0\.2\.0~rc\.1\) UNRELEASED; urgency=medium\n\n {2}\* \[FEATURE\]/,
  );
  assert.match(
    said,
    /\n -- Someone <someone@example\.com> {2}Mon, 21 Sep 2026 \d\d:\d\d:\d\d \+0000\n/,
  );
  assert.match(
    said,
    /\nwatchpost \(0\.1\.0\) unstable; urgency=medium\n\n {2}\* \[BUGFIX\] One\.\n {2}\* Two\.\n\n/,
  );
  assert.ok(said.split("\n").every((line) => line.length <= 80));
  assert.equal(debianVersion("1.0.0"), "1.0.0");
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { changesIn, parseChangelog } from "../../scripts/release/changelog.ts";
import { compare, release, releaseNotes } from "../../scripts/release/release.ts";
import { read, root } from "./files.ts";

const FILES = [
  "package.json",
  "package-lock.json",
  "clients/typescript/package.json",
  "deploy/kubernetes.yaml",
  "deploy/kubernetes-single.yaml",
];
const CHANGELOG =
  "# Changelog\n\nWhat it means.\n\n## Unreleased\n\n- [FEATURE] One.\n\n### Part\n\n- [BUGFIX] Two.\n";

/** A clone with one commit, of what a release changes. */
function clone() {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-release-"));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  for (const path of FILES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  write("CHANGELOG.md", CHANGELOG);
  git("init", "--quiet");
  git("config", "user.name", "Someone");
  git("config", "user.email", "someone@example.com");
  git("config", "commit.gpgsign", "false");
  git("config", "tag.gpgsign", "false");
  git("add", ".");
  git("commit", "--quiet", "--message", "All");
  return {
    folder,
    git,
    write,
    read: (path: string): string => readFileSync(join(folder, path), "utf8"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test("CHANGELOG.md can become a release", () => {
  const [unreleased] = parseChangelog(read("CHANGELOG.md"));
  assert.equal(unreleased?.version, undefined);
  assert.ok(unreleased !== undefined && changesIn(unreleased).length > 0);
});

test("a release is a commit with the version and its date everywhere, and a tag with the notes", () => {
  using one = clone();
  release(one.folder, { version: "0.2.0", date: "2026-11-24" });
  assert.equal(one.git("status", "--porcelain"), "");
  assert.equal(one.git("log", "--format=%s"), "Release 0.2.0\nAll");
  assert.equal(
    one.read("CHANGELOG.md"),
    CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n## 0.2.0 (2026-11-24)\n"),
  );
  const notes = "- [FEATURE] One.\n\n### Part\n\n- [BUGFIX] Two.";
  assert.equal(releaseNotes(one.folder, "0.2.0").trim(), notes);
  assert.equal(one.git("cat-file", "-t", "v0.2.0"), "tag");
  assert.equal(
    one.git("tag", "--list", "--format=%(contents)", "v0.2.0"),
    `Watchpost 0.2.0\n\n${notes}`,
  );
  for (const path of FILES.filter((each) => each.endsWith(".json")))
    assert.equal(JSON.parse(one.read(path)).version, "0.2.0", path);
  assert.equal(JSON.parse(one.read("package-lock.json")).packages[""].version, "0.2.0");
  const images = FILES.filter((each) => each.endsWith(".yaml")).flatMap(
    (path) => one.read(path).match(/image: .*\/watchpost:.*/g) ?? [],
  );
  assert.ok(images.length > 6);
  for (const image of images) assert.match(image, /:0\.2\.0$/);
  // Nothing but that is another.
  const lines = 4 + images.length;
  assert.match(
    one.git("diff", "HEAD~1", "--shortstat"),
    new RegExp(`6 files changed, ${lines + 2} insertions\\(\\+\\), ${lines} deletions`),
  );
});

test("what cannot be a release is refused with a sentence, and nothing is changed", () => {
  using one = clone();
  const refused = (version: string, said: RegExp): void =>
    assert.throws(() => release(one.folder, { version, date: "2026-11-24" }), said);
  refused("1.0", /^Error: a version is like 1\.2\.3/);
  refused("v1.0.0", /^Error: a version is like 1\.2\.3/);
  one.write("note", "");
  refused("0.2.0", /changes that are not committed/);
  rmSync(join(one.folder, "note"));
  one.git("tag", "v0.2.0");
  refused("0.2.0", /a tag v0\.2\.0 already/);
  release(one.folder, { version: "0.3.0", date: "2026-11-24" });
  refused("0.4.0", /nothing under "## Unreleased"/);
  one.write(
    "CHANGELOG.md",
    CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n- Three.\n\n## 0.3.0 (2026-11-24)\n"),
  );
  one.git("commit", "--quiet", "--all", "--message", "Three");
  refused("0.3.0-rc.1", /not later than 0\.3\.0/);
  one.write("CHANGELOG.md", CHANGELOG.replace("Unreleased", "Sometime"));
  one.git("commit", "--quiet", "--all", "--message", "Sometime");
  refused("0.4.0", /a heading of CHANGELOG\.md is/);
  assert.equal(one.git("tag", "--list"), "v0.2.0\nv0.3.0");
});

test("versions are in the order of SemVer", () => {
  const ordered = ["0.9.10", "1.0.0-rc.2", "1.0.0-rc.10", "1.0.0", "1.0.1", "1.10.0", "2.0.0"];
  for (const [index, version] of ordered.entries())
    for (const later of ordered.slice(index + 1)) {
      assert.ok(compare(version, later) < 0, `${version} ${later}`);
      assert.ok(compare(later, version) > 0, `${later} ${version}`);
    }
});

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { changesIn, parseChangelog, type Release } from "./changelog.ts";

export interface NewRelease {
  readonly version: string;
  /** As YYYY-MM-DD. */
  readonly date: string;
}

const CHANGELOG = "CHANGELOG.md";
/** Each has the version of the whole; the lock files have it twice. */
const MANIFESTS = [
  "package.json",
  "package-lock.json",
  "clients/typescript/package.json",
  "clients/typescript/package-lock.json",
];
/** Each names the image of the version. */
const KUBERNETES = ["deploy/kubernetes.yaml", "deploy/kubernetes-single.yaml"];
const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?$/;

/** Makes the commit and the tag of a release in a clone, and pushes nothing. Throws, and changes nothing, where it cannot be one. */
export function release(root: string, wanted: NewRelease): void {
  const { version, date } = wanted;
  const text = readFileSync(join(root, CHANGELOG), "utf8");
  assertPossible(root, version, parseChangelog(text));
  writeFileSync(
    join(root, CHANGELOG),
    text.replace("## Unreleased\n", `## Unreleased\n\n## ${version} (${date})\n`),
  );
  const manifests = MANIFESTS.filter((path) => existsSync(join(root, path)));
  for (const path of manifests) setVersion(join(root, path), version);
  for (const path of KUBERNETES) {
    const objects = readFileSync(join(root, path), "utf8");
    writeFileSync(
      join(root, path),
      objects.replaceAll(/(image: \S+\/watchpost:)\S+/g, (_, before: string) => before + version),
    );
  }
  git(root, "add", CHANGELOG, ...KUBERNETES, ...manifests);
  git(root, "commit", "--quiet", "--message", `Release ${version}`);
  const message = `Watchpost ${version}\n\n${releaseNotes(root, version)}`;
  // A line that begins with # is a heading there, and no comment.
  git(root, "tag", "--annotate", "--cleanup=verbatim", `v${version}`, "--message", message);
}

/** Returns the entry of CHANGELOG.md for a version, or for unreleased changes. */
export function releaseNotes(root: string, version: string | undefined): string {
  const found = parseChangelog(readFileSync(join(root, CHANGELOG), "utf8")).find(
    (each) => each.version === version,
  );
  if (found === undefined) throw new Error(`CHANGELOG.md has no version ${version}`);
  return `${found.body}\n`;
}

function assertPossible(root: string, version: string, releases: readonly Release[]): void {
  if (!VERSION.test(version))
    throw new Error(`a version is like 1.2.3 or 1.2.3-rc.1, not ${JSON.stringify(version)}`);
  if (git(root, "status", "--porcelain") !== "")
    throw new Error("there are changes that are not committed: commit or remove them first");
  if (git(root, "tag", "--list", `v${version}`) !== "")
    throw new Error(`there is a tag v${version} already`);
  const [unreleased, latest] = releases;
  if (unreleased?.version !== undefined || unreleased === undefined)
    throw new Error('CHANGELOG.md does not begin with "## Unreleased"');
  if (changesIn(unreleased).length === 0)
    throw new Error('there is nothing under "## Unreleased" in CHANGELOG.md');
  if (latest?.version !== undefined && compare(version, latest.version) <= 0)
    throw new Error(`${version} is not later than ${latest.version}, the latest release`);
}

/** Compares versions by SemVer: 1.0.0-rc.2 comes before 1.0.0-rc.10, and both before 1.0.0. */
export function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((each) => VERSION.exec(each) ?? []);
  for (const part of [1, 2, 3]) {
    const difference = Number(a?.[part]) - Number(b?.[part]);
    if (difference !== 0) return difference;
  }
  const [before, after] = [a?.[4] ?? "", b?.[4] ?? ""];
  if (before === "" || after === "") return Number(before === "") - Number(after === "");
  return before.localeCompare(after, "en", { numeric: true });
}

/** The first, and where it is a lock file that of its own package: those of others stay. */
function setVersion(path: string, version: string): void {
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const own = manifest.packages?.[""];
  const changed = {
    ...manifest,
    version,
    ...(own !== undefined && { packages: { ...manifest.packages, "": { ...own, version } } }),
  };
  writeFileSync(path, `${JSON.stringify(changed, undefined, 2)}\n`);
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

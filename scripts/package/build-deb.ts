import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { debianVersion } from "./debian-changelog.ts";
import {
  controlFiles,
  folderModes,
  installedFiles,
  installedLinks,
  type DebianPackage,
  type PackedFile,
} from "./debian-files.ts";

interface Target {
  readonly folder: string;
  /** As dpkg-deb has it: xz for what is given away, and zstd where time counts. */
  readonly compression: "xz" | "zstd";
}

/** Builds the package into a folder, and gives its path. The same sources give the same bytes. */
export function buildDeb(deb: DebianPackage, { folder, compression }: Target): string {
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(folder, "stage-"));
  const path = join(folder, `watchpost_${debianVersion(deb.version)}_${deb.architecture}.deb`);
  try {
    stageFiles(deb, stage);
    settle(stage, deb.builtAt);
    const options = ["--root-owner-group", `-Z${compression}`, "--build"];
    const { status, stderr, error } = spawnSync("dpkg-deb", [...options, stage, path], {
      encoding: "utf8",
      env: { ...process.env, SOURCE_DATE_EPOCH: String(deb.builtAt) },
    });
    if (status !== 0) throw new Error(`dpkg-deb failed: ${error?.message ?? stderr}`);
    return path;
  } finally {
    rmSync(stage, { recursive: true });
  }
}

function stageFiles(deb: DebianPackage, stage: string): void {
  const files = installedFiles(deb);
  if (!files.some(({ path }) => path.endsWith("/dist/client/index.html")))
    throw new Error("the dashboard is not built: npm run build");
  for (const file of files) put(stage, file);
  for (const [path, target] of Object.entries(installedLinks())) {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    symlinkSync(target, join(stage, path));
  }
  for (const path of Object.keys(folderModes)) mkdirSync(join(stage, path), { recursive: true });
  const bytes = files.reduce((sum, { path }) => sum + statSync(join(stage, path)).size, 0);
  const sums = files
    .map(({ path }) => {
      const sum = createHash("md5").update(readFileSync(join(stage, path)));
      return `${sum.digest("hex")}  ${path}\n`;
    })
    .join("");
  for (const file of controlFiles(deb, { bytes, sums })) put(stage, file);
}

function put(stage: string, { path, content, mode }: PackedFile): void {
  const target = join(stage, path);
  mkdirSync(dirname(target), { recursive: true });
  if ("copyOf" in content) copyFileSync(content.copyOf, target);
  else writeFileSync(target, content.text);
  chmodSync(target, mode);
}

/** So that neither the time of the build nor the umask of who builds shows. */
function settle(stage: string, at: number, path = ""): void {
  const here = join(stage, path);
  chmodSync(here, folderModes[path] ?? 0o755);
  for (const entry of readdirSync(here, { withFileTypes: true })) {
    if (entry.isDirectory()) settle(stage, at, join(path, entry.name));
    else lutimesSync(join(here, entry.name), at, at);
  }
  lutimesSync(here, at, at);
}

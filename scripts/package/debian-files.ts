import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync, constants } from "node:zlib";

import { parseChangelog } from "../release/changelog.ts";
import { copyrightFile } from "./copyright.ts";
import { debianChangelog, debianVersion } from "./debian-changelog.ts";
import {
  filesOfPackage,
  programFiles,
  runtimePackage,
  type BundledPackage,
} from "./program-files.ts";

const root = join(import.meta.dirname, "../..");
const LIBRARY = "usr/lib/watchpost";
const DOCUMENTS = "usr/share/doc/watchpost";
/** Where the units of deploy/systemd have the program. */
const IN_UNITS = "/opt/watchpost";

export interface DebianPackage {
  readonly version: string;
  readonly architecture: string;
  readonly maintainer: string;
  /** Seconds since 1970. */
  readonly builtAt: number;
  readonly bundled: readonly BundledPackage[];
  /** Prints the script by which a shell completes commands. */
  readonly completion: (shell: "bash" | "fish") => string;
}

/** A file of the package: what is copied, or written. */
export interface PackedFile {
  /** From the root of the system on. */
  readonly path: string;
  readonly content: { readonly copyOf: string } | { readonly text: string | Buffer };
  readonly mode: number;
}

const copy = (path: string, from: string, mode = 0o644): PackedFile => ({
  path,
  content: { copyOf: join(root, from) },
  mode,
});
const write = (path: string, text: string | Buffer, mode = 0o644): PackedFile => ({
  path,
  content: { text },
  mode,
});
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Everything that is installed. */
export function installedFiles(deb: DebianPackage): readonly PackedFile[] {
  const manifest = { ...JSON.parse(read("package.json")), version: deb.version };
  return [
    ...programFiles().flatMap((path) =>
      path === "package.json"
        ? [write(`${LIBRARY}/${path}`, `${JSON.stringify(manifest, undefined, 2)}\n`)]
        : [copy(`${LIBRARY}/${path}`, path, path === "watchpost" ? 0o755 : 0o644)],
    ),
    ...deb.bundled
      .flatMap(filesOfPackage)
      .map((path) => copy(`${LIBRARY}/${path}`, path, path.endsWith("bin/node") ? 0o755 : 0o644)),
    copy("usr/bin/watchpost", "deploy/debian/command", 0o755),
    copy("etc/watchpost/watchpost.env", "deploy/debian/watchpost.env", 0o600),
    copy("usr/lib/sysusers.d/watchpost.conf", "deploy/debian/sysusers.conf"),
    copy("usr/lib/sysctl.d/60-watchpost-ping.conf", "deploy/systemd/60-watchpost-ping.conf"),
    ...debianUnits().map(({ name, text }) => write(`usr/lib/systemd/system/${name}`, text)),
    write("usr/share/bash-completion/completions/watchpost", deb.completion("bash")),
    write("usr/share/fish/vendor_completions.d/watchpost.fish", deb.completion("fish")),
    write("usr/share/man/man1/watchpost.1.gz", packed(read("deploy/debian/watchpost.1"))),
    copy("usr/share/lintian/overrides/watchpost", "deploy/debian/lintian-overrides"),
    ...documents(deb),
  ];
}

function documents(deb: DebianPackage): readonly PackedFile[] {
  const texts = globSync(["docs/*.{md,json}", "deploy/**/*.{conf,yml,json}"], { cwd: root });
  const changelog = debianChangelog(parseChangelog(read("CHANGELOG.md")), deb);
  return [
    ...texts.toSorted().map((path) => copy(`${DOCUMENTS}/${path}`, path)),
    write(`${DOCUMENTS}/copyright`, copyrightFile(deb.bundled)),
    write(`${DOCUMENTS}/changelog.gz`, packed(changelog)),
  ];
}

/** The units of deploy/systemd, with the program where the package has it. */
export function debianUnits(): readonly { readonly name: string; readonly text: string }[] {
  return globSync("deploy/systemd/*.service", { cwd: root })
    .toSorted()
    .map((path) => ({
      name: basename(path),
      text: read(path)
        .replaceAll(`file://${IN_UNITS}/docs`, `file:///${DOCUMENTS}/docs`)
        .replaceAll(`=${IN_UNITS}`, `=/${LIBRARY}`)
        .replaceAll(IN_UNITS, `/${LIBRARY}`),
    }));
}

/** Symbolic links: where they are, and what they lead to. */
export function installedLinks(): Readonly<Record<string, string>> {
  return { [`${LIBRARY}/node_modules/.bin/node`]: `../${runtimePackage()}/bin/node` };
}

/** The folders with a mode of their own. */
export const folderModes: Readonly<Record<string, number>> = { "etc/watchpost/locations": 0o700 };

/** Returns the files that dpkg reads, with the size and checksums of the installed files. */
export function controlFiles(
  deb: DebianPackage,
  { bytes, sums }: { readonly bytes: number; readonly sums: string },
): readonly PackedFile[] {
  const scripts = ["postinst", "prerm", "postrm"].map((name) =>
    copy(`DEBIAN/${name}`, `deploy/debian/${name}`, 0o755),
  );
  return [
    ...scripts,
    write("DEBIAN/conffiles", "/etc/watchpost/watchpost.env\n"),
    write("DEBIAN/md5sums", sums),
    write("DEBIAN/control", controlFile(deb, Math.ceil(bytes / 1024))),
  ];
}

function controlFile(
  { version, architecture, maintainer }: DebianPackage,
  kibibytes: number,
): string {
  return `Package: watchpost
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Section: net
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1, libatomic1, passwd, systemd (>= 252)
Recommends: ca-certificates, iputils-ping, traceroute
Suggests: ffmpeg, mtr-tiny, nats-server, postgresql
Description: uptime monitor that confirms every failure before it alerts anybody
 Watchpost checks servers and pages by 19 protocols, and receives heartbeats of
 jobs. A failure is confirmed before anybody is alerted, and so is the recovery.
 It has a dashboard, status pages, an API and a command line, keeps its data in
 an embedded database or on PostgreSQL, and may run in many locations.
`;
}

/** The same bytes whenever it is packed. */
function packed(text: string): Buffer {
  return gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
}

import { changesIn, type Release } from "../release/changelog.ts";

interface Package {
  readonly version: string;
  readonly maintainer: string;
  /** When it is built; seconds since 1970. */
  readonly builtAt: number;
}

const WIDTH = 80;
const NOON = "12:00:00";

/** The changes in the format of Debian. What is not released yet is what the version of the package has. */
export function debianChangelog(
  releases: readonly Release[],
  { version, maintainer, builtAt }: Package,
): string {
  return releases
    .filter((release) => release.version !== undefined || changesIn(release).length > 0)
    .map((release) => {
      const isReleased = release.version !== undefined;
      const [of, distribution] = isReleased
        ? [debianVersion(release.version), "unstable"]
        : [debianVersion(version), "UNRELEASED"];
      const at = isReleased ? `${release.date}T${NOON}Z` : builtAt * 1000;
      const changes = changesIn(release).map(wrapped).join("\n");
      const date = new Date(at).toUTCString().replace("GMT", "+0000");
      return `watchpost (${of}) ${distribution}; urgency=medium\n\n${changes}\n\n -- ${maintainer}  ${date}\n`;
    })
    .join("\n");
}

/** Debian sorts 1.0.0~rc.1 before 1.0.0; after a hyphen there would be the revision of the package. */
export function debianVersion(version: string): string {
  return version.replace("-", "~");
}

function wrapped(change: string): string {
  const lines = [" "];
  for (const word of ["*", ...change.split(" ")]) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length < WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`    ${word}`);
  }
  return lines.join("\n");
}

/** Entry of one version in CHANGELOG.md. */
export interface Release {
  /** Undefined for what is not released yet. */
  readonly version: string | undefined;
  /** As YYYY-MM-DD. */
  readonly date: string | undefined;
  /** Everything between its heading and the next. */
  readonly body: string;
}

const HEADING = /^## (?:Unreleased|(\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?) \((\d{4}-\d{2}-\d{2})\))$/;

/** Parses the entries, latest first. Throws for a heading that is neither "Unreleased" nor a version with its date. */
export function parseChangelog(text: string): readonly Release[] {
  return text
    .split(/^(?=## )/m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      const match = HEADING.exec(heading);
      if (match === null)
        throw new Error(
          `a heading of CHANGELOG.md is "## Unreleased" or like "## 1.2.3 (2026-11-23)", not ${JSON.stringify(heading)}`,
        );
      return { version: match[1], date: match[2], body: lines.join("\n").trim() };
    });
}

/** The lines of a release that each describe a change. */
export function changesIn({ body }: Release): readonly string[] {
  return [...body.matchAll(/^- (.*)$/gm)].map(([, line = ""]) => line);
}

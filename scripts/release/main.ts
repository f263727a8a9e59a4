import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

import { release, releaseNotes } from "./release.ts";

const root = join(import.meta.dirname, "../..");

const HELP = `npm run release -- <version>          the commit and the tag of a release
npm run release --silent -- --notes [<version>]   prints what it brings; without a version what is not released yet

A release needs a clone without changes. It turns "Unreleased" in CHANGELOG.md into the version with today's date (UTC), sets the version in
package.json, in the lock file and in the client, commits that, and tags it. Nothing is pushed.
`;

const { values, positionals } = parseArgs({
  options: {
    notes: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [version] = positionals;
try {
  if (values.notes) process.stdout.write(releaseNotes(root, version));
  else if (values.help || version === undefined) process.stdout.write(HELP);
  else {
    const date = new Date(Date.now()).toISOString().slice(0, "2026-11-23".length);
    release(root, { version, date });
    process.stdout.write(
      `v${version} is committed and tagged here. To give it away: git push --follow-tags, npm run package:deb and npm run package:npm\n`,
    );
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { documentBlocks } from "../../harnesses/document-blocks.ts";
import { waitFor } from "../../time/wait-for.ts";
import { root } from "../process.ts";

export interface Guide extends AsyncDisposable {
  /** Runs what the document shows under that heading, in one shell with all before it, and gives what that printed. */
  readonly follow: (heading: string) => Promise<string>;
  /** Commands under a heading, for callers that act between two of them. */
  readonly commands: (heading: string) => readonly string[];
  /** Runs something else in the same shell. */
  readonly also: (script: string) => Promise<string>;
  /** Throws unless every command of the document was run. */
  readonly assertFollowed: () => void;
}

interface Place {
  readonly document: string;
  /** Where its commands run; it has `./watchpost`. */
  readonly folder: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Replacements for the reader's own values in the document. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The language of blocks whose commands a reader types. */
const TYPED = "sh";
/** Commands that read standard input find nothing there, rather than the next step. */
const SHELL = `set -eu -o pipefail; exec 2>&1; while read -r step; do source "./$step" </dev/null; echo "done $step"; done`;

/** Shell that runs the commands of a document unchanged; a failing one ends it and the test. */
export async function followGuide(place: Place): Promise<Guide> {
  const { document, folder, settings = {}, values = {} } = place;
  const typed = documentBlocks(document).filter(({ language }) => language === TYPED);
  await symlink(join(root, "watchpost"), join(folder, "watchpost")).catch(() => {});
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("WATCHPOST_"));
  const shell = spawn("bash", ["-c", SHELL], {
    cwd: folder,
    env: {
      ...Object.fromEntries(inherited),
      XDG_CONFIG_HOME: join(folder, "config"),
      COLUMNS: "200",
      ...settings,
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(shell, "exit");
  let output = "";
  shell.stdout.on("data", (chunk: Buffer) => (output += chunk));
  const followed = new Set<string>();
  let steps = 0;
  const also = async (script: string): Promise<string> => {
    steps += 1;
    const name = `step-${steps}.sh`;
    const text = withValues(script, values);
    const before = output.length;
    await writeFile(join(folder, name), `${text}\n`);
    shell.stdin.write(`${name}\n`);
    await waitFor(name, () => shell.exitCode !== null || output.endsWith(`done ${name}\n`));
    assert.equal(shell.exitCode, null, `${document}: ${text}\n${output.slice(before)}`);
    return output.slice(before);
  };
  const commands = (heading: string): readonly string[] => {
    followed.add(heading);
    const found = typed.filter((block) => block.heading === heading);
    assert.ok(found.length > 0, `${document} has no commands under ${heading}`);
    return found.map(({ text }) => text);
  };
  return {
    also,
    commands,
    follow: (heading) => also(commands(heading).join("\n")),
    assertFollowed() {
      assert.deepEqual(followed, new Set(typed.map(({ heading }) => heading)));
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end();
      shell.kill("SIGKILL");
      await ended;
    },
  };
}

function withValues(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

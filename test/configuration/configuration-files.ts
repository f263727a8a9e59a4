import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createApiClient } from "../../src/cli/api-client.ts";
import type { Configuration } from "../../src/cli/configuration/document.ts";
import { readConfiguration } from "../../src/cli/configuration/read-account.ts";
import type { CommandContext } from "../../src/cli/command-context.ts";
import type { ApiFixture, Person } from "../api-fixture.ts";
import { commandContext, commandLine, type CommandResult } from "../command-line.ts";

/** A folder with the files of a configuration, whose command line works on somebody's account. */
export interface ConfigurationFiles extends AsyncDisposable {
  readonly folder: string;
  readonly write: (name: string, text: string) => Promise<void>;
  /** `plan` and `apply` get the folder, `export` does not. */
  readonly run: (line: string, ...more: readonly string[]) => Promise<CommandResult>;
}

export async function configurationFiles(
  cast: ApiFixture,
  who: Person,
  overrides: Partial<CommandContext> = {},
): Promise<ConfigurationFiles> {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-configuration-"));
  const run = commandLine(cast, who.token, overrides);
  return {
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    run: (line, ...more) =>
      line.startsWith("export") ? run(line, ...more) : run(`${line} -f`, folder, ...more),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** Applies a document to somebody's account. */
export function applyDocument(
  cast: ApiFixture,
  { who, document }: { readonly who: Person; readonly document: object | string },
  ...args: readonly string[]
): Promise<CommandResult> {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const readInput = () => Promise.resolve(text);
  return commandLine(cast, who.token, { readInput })("apply -f -", ...args);
}

/** Exports a user's account by IDs. */
export function accountOf(cast: ApiFixture, who: Person): Promise<Configuration> {
  const { context } = commandContext(cast, who.token);
  return readConfiguration(createApiClient(context, {}), who.account.id);
}

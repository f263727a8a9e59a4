import { open } from "node:fs/promises";

import type { Command } from "commander";

import { createApiClient, withApiOptions } from "../api-client.ts";
import type { ApiOptions } from "../api-client.ts";
import { formatDocument } from "../configuration/document.ts";
import type { Document } from "../configuration/document.ts";
import { readAccountTree, readConfiguration } from "../configuration/read-account.ts";
import { CommandError } from "../command-context.ts";
import type { CommandContext } from "../command-context.ts";

interface Options extends ApiOptions {
  readonly output?: string;
  readonly subaccounts?: boolean;
}

export function addExport(parent: Command, shell: CommandContext): void {
  const command = parent
    .command("export")
    .summary("write an account's whole configuration as one JSON document")
    .description(
      "Writes settings, branding, contacts, groups, schedules, profiles, checks and maintenances of an account as one JSON document, in the shapes of the API and in an order that stays, so that it can be kept in git. Results, states and tokens are not in it, but the credentials of checks and the addresses of webhooks are: keep it as you keep those.",
    )
    .option("--output <file>", "write to a file that only you can read (default: standard output)")
    .option("--subaccounts", "with all subaccounts");
  withApiOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost export > watchpost.json
  $ ./watchpost export --subaccounts --output everything.json`,
    )
    .action(async ({ output, subaccounts = false, ...options }: Options) => {
      const document = await documentOf(shell, options, subaccounts);
      if (output === undefined) return shell.print(formatDocument(document));
      await writeForOwner(output, formatDocument(document));
      shell.printError(`Written to ${output}. It holds credentials, and only you can read it.\n`);
    });
}

async function documentOf(
  shell: CommandContext,
  { account, ...options }: ApiOptions,
  withSubaccounts: boolean,
): Promise<Document> {
  if (withSubaccounts && account !== undefined)
    throw new CommandError("a subaccount has no subaccounts: leave out --account or --subaccounts");
  const api = createApiClient(shell, options);
  const { own, subaccounts } = await readAccountTree(api);
  const document = {
    watchpost: {
      version: shell.version,
      exported_at: new Date(shell.clock.now()).toISOString(),
    },
    ...(await readConfiguration(api, account ?? own)),
  };
  if (!withSubaccounts) return document;
  const below = [];
  for (const id of Object.keys(subaccounts)) below.push(await readConfiguration(api, id));
  return { ...document, subaccounts: below };
}

/** The mode of a file counts when it is made, so one that is there already gets it before it gets any content. */
async function writeForOwner(path: string, text: string): Promise<void> {
  await using file = await open(path, "w", 0o600);
  await file.chmod(0o600);
  await file.writeFile(text);
}

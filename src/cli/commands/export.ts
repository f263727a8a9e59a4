import type { Command } from "commander";

import { createApiClient, withApiOptions } from "../api-client.ts";
import type { ApiOptions } from "../api-client.ts";
import { formatDocument } from "../configuration/document.ts";
import type { Document } from "../configuration/document.ts";
import { readAccountTree, readConfiguration } from "../configuration/read-account.ts";
import { CommandError } from "../command-context.ts";
import type { CommandContext } from "../command-context.ts";
import { writeForOwner } from "../write-for-owner.ts";

interface Options extends ApiOptions {
  readonly output?: string;
  readonly subaccounts?: boolean;
}

export function addExport(parent: Command, context: CommandContext): void {
  const command = parent
    .command("export")
    .description(
      "Writes settings, branding, contacts, groups, schedules, profiles, checks and maintenances of an account as one JSON document, in the format of the API and in a stable order, so that it can be kept in git. It contains no results, states and tokens, but the credentials of checks and the addresses of webhooks: protect it accordingly.",
    )
    .option("--output <file>", "write to a file that only you can read (default: standard output)")
    .option("--subaccounts", "include all subaccounts");
  withApiOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost export > watchpost.json
  $ ./watchpost export --subaccounts --output everything.json`,
    )
    .action(async ({ output, subaccounts = false, ...options }: Options) => {
      const document = await documentOf(context, options, subaccounts);
      if (output === undefined) return context.print(formatDocument(document));
      await writeForOwner(output, formatDocument(document));
      context.printError(
        `Written to ${output}. It contains credentials, and only you can read it.\n`,
      );
    });
}

async function documentOf(
  context: CommandContext,
  { account, ...options }: ApiOptions,
  withSubaccounts: boolean,
): Promise<Document> {
  if (withSubaccounts && account !== undefined)
    throw new CommandError("a subaccount has no subaccounts: omit --account or --subaccounts");
  const api = createApiClient(context, options);
  const { own, subaccounts } = await readAccountTree(api);
  const document = {
    watchpost: {
      version: context.version,
      exported_at: new Date(context.clock.now()).toISOString(),
    },
    ...(await readConfiguration(api, account ?? own)),
  };
  if (!withSubaccounts) return document;
  const below = [];
  for (const id of Object.keys(subaccounts)) below.push(await readConfiguration(api, id));
  return { ...document, subaccounts: below };
}

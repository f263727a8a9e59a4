import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

interface Options {
  readonly account?: string;
  readonly label: string;
}

export function addTokenCreate(parent: Command, shell: CommandContext): void {
  parent
    .command("create")
    .summary("make a token and print it, this once")
    .description(
      "Makes a token that may do everything on a primary account and its subaccounts. It is printed this once, alone on standard output; only a digest of it is kept.",
    )
    .option("--label <text>", "what it is for", "command line")
    .option("--account <id>", "the primary account (default: the one there is)")
    .addHelpText(
      "after",
      '\nExample:\n  $ export WATCHPOST_TOKEN=$(./watchpost token create --label "laptop")',
    )
    .action(async ({ account, label }: Options) => {
      const made = await shell.tokenAdmin().create({ accountId: account, label });
      shell.print(`${made.token}\n`);
      shell.printError(
        `Keep it: it is shown this once. It is for the account ${made.accountId}; ./watchpost token revoke ${made.handle} ends it.\n`,
      );
    });
}

import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

interface Options {
  readonly account?: string;
  readonly label: string;
  readonly legacy?: true;
}

export function addTokenCreate(parent: Command, context: CommandContext): void {
  parent
    .command("create")
    .summary("create a token and print it, once")
    .description(
      "Creates a token with full access to a primary account and its subaccounts. It is printed once, alone on standard output; only its hash is stored.",
    )
    .option("--label <text>", "the purpose of the token", "command line")
    .option(
      "--legacy",
      "for clients that were written for the original service (default: what WATCHPOST_COMPATIBILITY says)",
    )
    .option("--account <id>", "the primary account (default: the only one)")
    .addHelpText(
      "after",
      '\nExample:\n  $ export WATCHPOST_TOKEN=$(./watchpost token create --label "laptop")',
    )
    .action(async ({ account, label, legacy }: Options) => {
      const made = await context.tokenAdmin().create({
        accountId: account,
        label,
        compatibility: legacy && "legacy",
      });
      context.print(`${made.token}\n`);
      context.printError(
        `Store it now, it is not shown again. Account: ${made.accountId}. To revoke it: ./watchpost token revoke ${made.handle}\n`,
      );
    });
}

import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

interface Options {
  readonly account?: string;
  readonly label: string;
  readonly legacy?: true;
  readonly readOnly?: true;
  readonly days?: string;
}

export function addTokenCreate(parent: Command, context: CommandContext): void {
  parent
    .command("create")
    .summary("create a token and print it, once")
    .description(
      "Creates a token for a primary account and its subaccounts, with full access unless it is read-only. It is printed once, alone on standard output; only its hash is stored.",
    )
    .option("--label <text>", "the purpose of the token", "command line")
    .option(
      "--legacy",
      "for clients that were written for the original service (default: what WATCHPOST_COMPATIBILITY says)",
    )
    .option("--read-only", "it can read, without the credentials of checks, and change nothing")
    .option("--days <number>", "for how many days it works (default: until it is revoked)")
    .option("--account <id>", "the primary account (default: the only one)")
    .addHelpText(
      "after",
      '\nExample:\n  $ export WATCHPOST_TOKEN=$(./watchpost token create --label "laptop")',
    )
    .action(async ({ account, label, legacy, readOnly, days }: Options) => {
      const made = await (
        await context.tokenAdmin()
      ).create({
        accountId: account,
        label,
        compatibility: legacy && "legacy",
        access: readOnly && "read",
        days: days === undefined ? undefined : Number(days),
      });
      context.print(`${made.token}\n`);
      context.printError(
        `Store it now, it is not shown again. Account: ${made.accountId}. To revoke it: ./watchpost token revoke ${made.handle}\n`,
      );
    });
}

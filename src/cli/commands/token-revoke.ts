import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

export function addTokenRevoke(parent: Command, context: CommandContext): void {
  parent
    .command("revoke")
    .summary("revoke a token")
    .description("Revokes a token with effect at once.")
    .argument("<handle>", "the handle from token list, or its first 4 or more digits")
    .option("--force", "also if it is the last token of its account")
    .addHelpText("after", "\nExample:\n  $ ./watchpost token revoke 1f3a9c")
    .action(async (handle: string, { force = false }: { readonly force?: boolean }) => {
      const { label, accountId } = await (await context.tokenAdmin()).revoke({ handle, force });
      context.print(`Revoked ${JSON.stringify(label)} of the account ${accountId}.\n`);
    });
}

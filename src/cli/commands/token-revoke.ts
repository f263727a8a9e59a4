import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";

export function addTokenRevoke(parent: Command, shell: CommandContext): void {
  parent
    .command("revoke")
    .summary("end a token")
    .description("Ends a token: from then on no request with it is answered.")
    .argument("<handle>", "its handle as the list shows it, or the first 4 or more digits of that")
    .option("--force", "even the last token of its account")
    .addHelpText("after", "\nExample:\n  $ ./watchpost token revoke 1f3a9c")
    .action(async (handle: string, { force = false }: { readonly force?: boolean }) => {
      const { label, accountId } = await shell.tokenAdmin().revoke({ handle, force });
      shell.print(`Revoked ${JSON.stringify(label)} of the account ${accountId}.\n`);
    });
}

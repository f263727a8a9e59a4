import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";
import { formatTable, formatTime } from "../table.ts";

export function addTokenList(parent: Command, context: CommandContext): void {
  parent
    .command("list")
    .summary("list the tokens, without their values")
    .description(
      "Lists the handle, date, account, compatibility and label of every token. A handle identifies a token, and gives no access.",
    )
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  $ ./watchpost token list")
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const tokens = await context.tokenAdmin().list();
      if (json) return context.print(`${JSON.stringify(tokens, undefined, 2)}\n`);
      const rows = tokens.map(({ handle, createdAt, accountId, compatibility, label }) => [
        handle,
        formatTime(createdAt),
        accountId,
        compatibility,
        label,
      ]);
      context.print(
        formatTable([["HANDLE", "CREATED", "ACCOUNT", "COMPATIBILITY", "LABEL"], ...rows]),
      );
    });
}

import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";
import { formatTable, formatTime } from "../table.ts";

export function addTokenList(parent: Command, shell: CommandContext): void {
  parent
    .command("list")
    .summary("show what tokens there are, never the tokens themselves")
    .description(
      "Shows the handle of every token, when it was made and what for. The handle only names it: nobody can get in with that.",
    )
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  $ ./watchpost token list")
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const tokens = await shell.tokenAdmin().list();
      if (json) return shell.print(`${JSON.stringify(tokens, undefined, 2)}\n`);
      const rows = tokens.map(({ handle, createdAt, accountId, label }) => [
        handle,
        formatTime(createdAt),
        accountId,
        label,
      ]);
      shell.print(formatTable([["HANDLE", "CREATED", "ACCOUNT", "LABEL"], ...rows]));
    });
}

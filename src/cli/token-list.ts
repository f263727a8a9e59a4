import type { Command } from "commander";

import type { Shell } from "./shell.ts";
import { tableOf, timeOf } from "./table.ts";

export function addTokenList(parent: Command, shell: Shell): void {
  parent
    .command("list")
    .summary("show what tokens there are, never the tokens themselves")
    .description(
      "Shows the handle of every token, when it was made and what for. The handle only names it: nobody can get in with that.",
    )
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  $ ./watchpost token list")
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const tokens = await shell.tokens().list();
      if (json) return shell.print(`${JSON.stringify(tokens, undefined, 2)}\n`);
      const rows = tokens.map(({ handle, createdAt, accountId, label }) => [
        handle,
        timeOf(createdAt),
        accountId,
        label,
      ]);
      shell.print(tableOf([["HANDLE", "CREATED", "ACCOUNT", "LABEL"], ...rows]));
    });
}

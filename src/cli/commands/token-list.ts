import type { Command } from "commander";

import type { CommandContext } from "../command-context.ts";
import { formatTable, formatTime } from "../table.ts";

const COLUMNS = [
  "HANDLE",
  "CREATED",
  "ACCOUNT",
  "COMPATIBILITY",
  "ACCESS",
  "USED",
  "EXPIRES",
  "LABEL",
];

export function addTokenList(parent: Command, context: CommandContext): void {
  parent
    .command("list")
    .summary("list the tokens, without their values")
    .description(
      "Lists the handle, date, account, compatibility, access, last use (to the hour), end and label of every token. A handle identifies a token, and gives no access.",
    )
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  $ ./watchpost token list")
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const tokens = await (await context.tokenAdmin()).list();
      if (json) return context.print(`${JSON.stringify(tokens, undefined, 2)}\n`);
      const rows = tokens.map((token) => [
        token.handle,
        formatTime(token.createdAt),
        token.accountId,
        token.compatibility,
        token.access,
        token.usedAt === undefined ? "never" : formatTime(token.usedAt),
        token.expiresAt === undefined ? "never" : formatTime(token.expiresAt),
        token.label,
      ]);
      context.print(formatTable([COLUMNS, ...rows]));
    });
}

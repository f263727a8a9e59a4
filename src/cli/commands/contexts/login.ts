import type { Command } from "commander";

import { createApiClient } from "../../api-client.ts";
import { CommandError, type CommandContext } from "../../command-context.ts";
import { assertContextName, readContexts, writeContexts } from "../../contexts/context-file.ts";
import { cellOf } from "../../derived/columns.ts";

interface Options {
  readonly name?: string;
  readonly account?: string;
}

export function addLogin(parent: Command, context: CommandContext): void {
  parent
    .command("login")
    .summary("keep the URL and the token of an installation")
    .description(
      "Asks for an API token, tries it, and keeps it with the URL as a context, in a file that only you can read. Commands then need neither. The token is typed, or read from standard input: arguments are seen by other users of the machine.",
    )
    .argument("<url>", "the installation, such as https://watchpost.example.com")
    .option("--name <name>", "what the context is called (default: the host of the URL)")
    .option("--account <id>", "a subaccount in place of the token's own account")
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost login https://watchpost.example.com
  $ ./watchpost login https://watchpost.example.com --name shop < token.txt`,
    )
    .action(async (given: string, { name, account }: Options) => {
      const url = urlOf(given);
      const called = name ?? url.hostname;
      assertContextName(called);
      const token = await tokenFrom(context);
      const where = { url: url.href.replace(/\/+$/, ""), token };
      const who = await createApiClient(context, {
        ...where,
        ...(account !== undefined && { account }),
      })("GET", "sessions/current");
      const { byName } = await readContexts(context.configFolder);
      const kept = { ...where, ...(account !== undefined && { account }) };
      await writeContexts(context.configFolder, {
        current: called,
        byName: { ...byName, [called]: kept },
      });
      context.print(
        `Logged in to ${where.url} as ${cellOf(who.name)} (${cellOf(who.access)}), account ${cellOf(who.customer_name)}. The context is called ${called}.\n`,
      );
    });
}

function urlOf(given: string): URL {
  const url = URL.parse(/^https?:/i.test(given) ? given : `https://${given}`);
  if (url === null || url.username !== "" || url.search !== "")
    throw new CommandError(`no URL of an installation ${JSON.stringify(given)}`);
  return url;
}

async function tokenFrom({ terminal, readInput }: CommandContext): Promise<string> {
  const given =
    terminal.ask === undefined
      ? await readInput()
      : await terminal.ask({ text: "API token: ", isSecret: true });
  const token = given.trim();
  if (token === "")
    throw new CommandError("no token was given: type it, or send it to standard input");
  return token;
}

import type { Command } from "commander";

import type { CommandContext } from "../../command-context.ts";
import { contextNamed, readContexts, writeContexts } from "../../contexts/context-file.ts";
import { printJson, printRows } from "../../derived/print-answer.ts";

export function addContextList(parent: Command, context: CommandContext): void {
  parent
    .command("list")
    .summary("list the contexts, without their tokens")
    .description("Lists the contexts of `login`, without their tokens.")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  $ ./watchpost context list")
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const { current, byName } = await readContexts(context.configFolder);
      const all = Object.entries(byName).map(([name, { url, account }]) => ({
        name,
        url,
        ...(account !== undefined && { account }),
        current: name === current,
      }));
      if (json) return printJson(all, context);
      const rows = all.map((each) => [
        each.name,
        each.url,
        each.account ?? "",
        each.current ? "current" : "",
      ]);
      printRows([["NAME", "URL", "ACCOUNT", ""], ...rows], context);
    });
}

export function addContextUse(parent: Command, context: CommandContext): void {
  parent
    .command("use")
    .summary("make a context the current one")
    .description("Makes a context the current one, which commands use unless another is named.")
    .argument("<name>", "the name, from context list")
    .addHelpText("after", "\nExample:\n  $ ./watchpost context use watchpost.example.com")
    .action(async (name: string) => {
      const contexts = await readContexts(context.configFolder);
      const { url } = contextNamed(contexts, name);
      await writeContexts(context.configFolder, { ...contexts, current: name });
      context.print(`Commands now go to ${url}.\n`);
    });
}

export function addContextRemove(parent: Command, context: CommandContext): void {
  parent
    .command("remove")
    .summary("forget a context and its token")
    .description(
      "Forgets a context and its token. The token goes on to be valid until it is revoked.",
    )
    .argument("<name>", "the name, from context list")
    .addHelpText("after", "\nExample:\n  $ ./watchpost context remove watchpost.example.com")
    .action(async (name: string) => {
      const contexts = await readContexts(context.configFolder);
      contextNamed(contexts, name);
      const { [name]: _removed, ...byName } = contexts.byName;
      const current = contexts.current === name ? undefined : contexts.current;
      await writeContexts(context.configFolder, { current, byName });
      context.print(`${name} removed. Its token is still valid: api-token delete revokes one.\n`);
    });
}

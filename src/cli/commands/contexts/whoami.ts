import type { Command } from "commander";

import { createApiClient, withApiOptions, type ApiOptions } from "../../api-client.ts";
import type { CommandContext } from "../../command-context.ts";
import { resolveApiTarget } from "../../contexts/installation.ts";
import { cellOf } from "../../derived/columns.ts";
import { printFields, printJson } from "../../derived/print-answer.ts";

export function addWhoami(parent: Command, context: CommandContext): void {
  const command = parent
    .command("whoami")
    .summary("show the installation, the account and the access of the token in use")
    .description("Shows which installation commands go to, as whom, and what the token may do.")
    .option("--json", "the response of the API as JSON");
  withApiOptions(command)
    .addHelpText("after", "\nExample:\n  $ ./watchpost whoami")
    .action(async (options: ApiOptions & { readonly json?: boolean }) => {
      const who = await createApiClient(context, options)("GET", "sessions/current");
      if (options.json === true) return printJson(who, context);
      const { root } = await resolveApiTarget(context, options);
      const rows: readonly (readonly [string, unknown])[] = [
        ["installation", root.replace(/\/api\/1$/, "")],
        ["version", who.version],
        ["token", who.name],
        ["handle", who.actor],
        ["access", who.access],
        ["account", `${cellOf(who.customer_name)} (${cellOf(who.customer_id)})`],
        ["time zone", who.timezonename ?? zoneOf(who.timezone)],
      ];
      printFields(
        rows.map(([name, value]) => [name, cellOf(value)] as const),
        context,
      );
    });
}

/** An offset in hours, such as `5.5`. */
function zoneOf(offset: unknown): string {
  const minutes = Math.round(Number(offset) * 60);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  if (minutes === 0) return "GMT";
  return `GMT${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

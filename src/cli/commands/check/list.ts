import type { Command } from "commander";

import { createApiClient, withApiOptions } from "../../api-client.ts";
import type { ApiOptions } from "../../api-client.ts";
import { parseCheck, describeState } from "../../check-response.ts";
import type { CommandContext } from "../../command-context.ts";
import { formatTable } from "../../table.ts";

export function addCheckList(parent: Command, context: CommandContext): void {
  const command = parent
    .command("list")
    .summary("list checks with their states")
    .description("Lists the checks of an account with their states.")
    .option("--json", "the records as JSON, by id");
  withApiOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ ./watchpost check list
  $ ./watchpost check list --json | jq '.[] | select(.state == 0) | .label'`,
    )
    .action(async ({ json = false, ...options }: ApiOptions & { readonly json?: boolean }) => {
      const checks = await createApiClient(context, options)("GET", "checks");
      if (json) return context.print(`${JSON.stringify(checks, undefined, 2)}\n`);
      const rows = Object.values(checks).map((record) => {
        const check = parseCheck(record);
        const { _id, type, label, parameters, interval } = check;
        return [_id, describeState(check), type, label, parameters.target ?? "", `${interval} min`];
      });
      context.print(formatTable([["ID", "STATE", "TYPE", "LABEL", "TARGET", "INTERVAL"], ...rows]));
    });
}

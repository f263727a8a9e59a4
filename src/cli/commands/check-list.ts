import type { Command } from "commander";

import { createApiClient, withApiOptions } from "../api-client.ts";
import type { ApiOptions } from "../api-client.ts";
import { parseCheck, describeState } from "../check-response.ts";
import type { CommandContext } from "../command-context.ts";
import { formatTable } from "../table.ts";

export function addCheckList(parent: Command, shell: CommandContext): void {
  const command = parent
    .command("list")
    .summary("show all checks with their states")
    .description("Shows every check of an account and how it does.")
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
      const checks = await createApiClient(shell, options)("GET", "checks");
      if (json) return shell.print(`${JSON.stringify(checks, undefined, 2)}\n`);
      const rows = Object.values(checks).map((record) => {
        const check = parseCheck(record);
        const { _id, type, label, parameters, interval } = check;
        return [_id, describeState(check), type, label, parameters.target ?? "", `${interval} min`];
      });
      shell.print(formatTable([["ID", "STATE", "TYPE", "LABEL", "TARGET", "INTERVAL"], ...rows]));
    });
}

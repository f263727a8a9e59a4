import type { Command } from "commander";

import { apiOf, withApiOptions } from "./api.ts";
import type { ApiOptions } from "./api.ts";
import { checkOf, stateOf } from "./check-record.ts";
import type { Shell } from "./shell.ts";
import { tableOf } from "./table.ts";

export function addCheckList(parent: Command, shell: Shell): void {
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
      const checks = await apiOf(shell, options)("GET", "checks");
      if (json) return shell.print(`${JSON.stringify(checks, undefined, 2)}\n`);
      const rows = Object.values(checks).map((record) => {
        const check = checkOf(record);
        const { _id, type, label, parameters, interval } = check;
        return [_id, stateOf(check), type, label, parameters.target ?? "", `${interval} min`];
      });
      shell.print(tableOf([["ID", "STATE", "TYPE", "LABEL", "TARGET", "INTERVAL"], ...rows]));
    });
}

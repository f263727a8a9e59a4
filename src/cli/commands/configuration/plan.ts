import type { Command } from "commander";

import { createApiClient, withApiOptions } from "../../api-client.ts";
import type { ApiOptions } from "../../api-client.ts";
import { CommandEnd } from "../../command-context.ts";
import type { CommandContext } from "../../command-context.ts";
import { loadFiles, planFiles } from "../../declaration/load.ts";
import { createPlanReport, planToJson } from "../../declaration/plan-report.ts";
import { exitCodes } from "../../exit-codes.ts";
import { printAbandoned, redactedContext, redactedErrors, withFiles } from "./files-option.ts";
import type { FilesOption } from "./files-option.ts";

interface Options extends ApiOptions, FilesOption {
  readonly prune?: boolean;
  readonly json?: boolean;
}

export function addPlan(parent: Command, context: CommandContext): void {
  const command = parent
    .command("plan")
    .description(
      "Shows what `apply` would do to make an account match a configuration in files, and does nothing. Ends with 0 where nothing is to be done, and with 3 where something is.",
    )
    .option("--prune", "also plan to delete what the files managed and do not have any more")
    .option("--json", "print the plan as JSON");
  withApiOptions(withFiles(command))
    .addHelpText(
      "after",
      `
One line for each record: + is made, ~ is changed, = is there already and becomes managed, - is deleted.

Examples:
  $ ./watchpost plan -f watchpost.yaml
  $ ./watchpost plan -f checks/ -f contacts.yaml --prune`,
    )
    .action(async ({ file, prune = false, json = false, account, ...options }: Options) => {
      const { progress } = context.terminal;
      progress?.show("reading the files", 0);
      const loaded = await loadFiles(file, context).finally(() => progress?.clear());
      await redactedErrors(loaded.references, async () => {
        const { print, printError, terminal } = redactedContext(context, loaded.references);
        const api = createApiClient(context, options);
        progress?.show("comparing with the account", 0);
        const plans = await planFiles(api, loaded, { account, prune }).finally(() =>
          progress?.clear(),
        );
        const report = createPlanReport(
          { print: json ? () => undefined : print, terminal },
          "plan",
        );
        for (const plan of plans) for (const item of plan.items) report.add(plan, item);
        if (json) print(`${JSON.stringify(planToJson(plans), undefined, 2)}\n`);
        else print(`${report.summary()}\n`);
        for (const warning of new Set(plans.flatMap(({ plan }) => plan.warnings)))
          printError(`! ${warning}\n`);
        if (!prune) printAbandoned(plans, printError);
        if (report.hasChanges()) throw new CommandEnd(exitCodes.changes);
      });
    });
}

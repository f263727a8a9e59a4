import type { Command } from "commander";

import { createApiClient, withApiOptions, type ApiOptions } from "../../api-client.ts";
import { CommandEnd, type CommandContext } from "../../command-context.ts";
import { loadFiles, planFiles } from "../../configuration/load.ts";
import { createPlanReport, planToJson } from "../../configuration/plan-report.ts";
import { exitCodes } from "../../exit-codes.ts";
import {
  printAbandoned,
  printWarnings,
  redactedErrors,
  withFiles,
  type FilesOption,
} from "./files-option.ts";

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
      const { redact } = loaded.references;
      const api = createApiClient(context, options);
      progress?.show("comparing with the account", 0);
      const plans = await redactedErrors(redact, () =>
        planFiles(api, loaded, { account, prune }),
      ).finally(() => progress?.clear());
      const { print, printError, terminal } = context;
      const report = createPlanReport(
        { print: json ? () => undefined : print, terminal },
        { tense: "plan", redact },
      );
      for (const plan of plans) for (const item of plan.items) report.add(plan, item);
      if (json) print(`${JSON.stringify(planToJson(plans, redact), undefined, 2)}\n`);
      else print(`${report.summary()}\n`);
      printWarnings(plans, { redact, printError });
      if (!prune) printAbandoned(plans, printError);
      if (report.hasChanges()) throw new CommandEnd(exitCodes.changes);
    });
}

import type { Command } from "commander";

import { sleep } from "../../../kit/clock.ts";
import { messageOf } from "../../../kit/errors.ts";
import {
  createApiClient,
  withApiOptions,
  type ApiClient,
  type ApiOptions,
} from "../../api-client.ts";
import { CommandError, type CommandContext } from "../../command-context.ts";
import type { AccountPlan } from "../../configuration/account-plan.ts";
import { applyAccounts, interrupted, type Applied } from "../../configuration/apply-accounts.ts";
import { loadFiles, planFiles } from "../../configuration/load.ts";
import { createPlanReport } from "../../configuration/plan-report.ts";
import type { Redact } from "../../configuration/source/redact.ts";
import { signatureOf } from "../../configuration/source/read-sources.ts";
import {
  printAbandoned,
  printWarnings,
  redactedErrors,
  withFiles,
  type FilesOption,
} from "./files-option.ts";

interface Options extends ApiOptions, FilesOption {
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly watch?: boolean;
}

const LOOK_INTERVAL_MS = 2000;

export function addApply(parent: Command, context: CommandContext): void {
  const command = parent
    .command("apply")
    .description(
      "Makes an account match a configuration in files. All of it is read and checked before anything is changed, and to apply the same files again changes nothing. What the files do not say stays as it is; nothing is deleted without --prune, and then only what these files manage: what they made or took over.",
    )
    .option("--prune", "delete what the files managed and do not have any more")
    .option("--yes", "delete without asking, which --prune needs")
    .option("--watch", "apply the files again whenever one of them changes, until stopped");
  withApiOptions(withFiles(command))
    .addHelpText(
      "after",
      `
One line for each record: + is made, ~ is changed, = is there already and becomes managed, - is deleted.

Examples:
  $ ./watchpost apply -f watchpost.yaml
  $ ./watchpost apply -f checks/ -f contacts.yaml --prune --yes
  $ ./watchpost export --url https://old.example.com --secrets | ./watchpost apply -f -`,
    )
    .action(async ({ account, ...options }: Options) => {
      const api = createApiClient(context, options);
      const once = (): Promise<void> =>
        applyOnce(context, { ...options, api, account }).finally(() =>
          context.terminal.progress?.clear(),
        );
      if (options.watch !== true) return once();
      if (options.file.includes("-"))
        throw new CommandError("--watch needs files, and not standard input");
      await applyWhenChanged(context, options.file, once);
    });
}

interface Wish extends FilesOption {
  readonly api: ApiClient;
  readonly account: string | undefined;
  readonly prune?: boolean;
  readonly yes?: boolean;
}

async function applyOnce(
  context: CommandContext,
  { file, api, account, prune = false, yes = false }: Wish,
): Promise<void> {
  const { progress } = context.terminal;
  progress?.show("reading the files", 0);
  const loaded = await loadFiles(file, context);
  const { redact } = loaded.references;
  progress?.show("comparing with the account", 0);
  const plans = await redactedErrors(redact, () => planFiles(api, loaded, { account, prune }));
  progress?.clear();
  printWarnings(plans, { redact, printError: context.printError });
  if (!yes) assertNothingGoes(plans, redact);
  const report = createPlanReport(context, { tense: "apply", redact });
  const all = plans.reduce((sum, { items }) => sum + items.length, 0);
  let applied = 0;
  const done = ({ plan, item, answer }: Applied): void => {
    progress?.clear();
    report.add(plan, item, answer);
    applied += 1;
    // A new account brings records that were not counted.
    progress?.show("applying", Math.min(1, applied / all));
  };
  await redactedErrors(redact, () => applyAccounts(api, plans, { prune, redact, done })).catch(
    (error: unknown) => {
      throw interrupted(error, report.counts());
    },
  );
  progress?.clear();
  context.print(`${report.summary()}\n`);
  if (!prune) printAbandoned(plans, context.printError);
}

function assertNothingGoes(plans: readonly AccountPlan[], redact: Redact): void {
  const going = plans.flatMap(({ items }) =>
    items
      .filter(({ step }) => step.change === "prune")
      .map(({ step }) => `- ${step.kind} ${JSON.stringify(redact(step.name))}`),
  );
  if (going.length === 0) return;
  throw new CommandError(
    [
      ...going,
      `${going.length} would be deleted, with what they recorded: repeat it with --yes. Nothing was changed.`,
    ].join("\n"),
  );
}

/** Reports errors and waits for the next change of the files. */
async function applyWhenChanged(
  { clock, printError, untilStopped }: CommandContext,
  files: readonly string[],
  apply: () => Promise<void>,
): Promise<void> {
  const stopped = untilStopped();
  const { promise: stop, resolve } = Promise.withResolvers<void>();
  stopped.addEventListener("abort", () => resolve(), { once: true });
  let applied: string | undefined;
  while (!stopped.aborted) {
    try {
      const signature = await signatureOf(files);
      if (signature !== applied) {
        applied = signature;
        await apply();
      }
    } catch (error) {
      printError(`${messageOf(error)}\n`);
    }
    if (!stopped.aborted) await Promise.race([sleep(clock, LOOK_INTERVAL_MS), stop]);
  }
}

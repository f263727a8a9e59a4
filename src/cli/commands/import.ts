import { readFile } from "node:fs/promises";

import type { Command } from "commander";
import { z } from "zod";

import { messageOf } from "../../kit/errors.ts";
import { createApiClient, parseResponse, withApiOptions } from "../api-client.ts";
import type { ApiClient, ApiOptions } from "../api-client.ts";
import { applyPlan } from "../configuration/apply-plan.ts";
import { parseDocument } from "../configuration/document.ts";
import type { Configuration } from "../configuration/document.ts";
import { recordError } from "../configuration/record-error.ts";
import { planOf } from "../configuration/plan.ts";
import type { Plan, PlanOptions } from "../configuration/plan.ts";
import { readConfiguration } from "../configuration/read-account.ts";
import {
  newAccountParameters,
  newAccountConfiguration,
  importAccounts,
} from "../configuration/import-accounts.ts";
import type { ImportAccount } from "../configuration/import-accounts.ts";
import { createImportReport } from "../import-report.ts";
import type { ImportReport } from "../import-report.ts";
import { CommandError } from "../command-context.ts";
import type { CommandContext } from "../command-context.ts";
import { stripControlCharacters } from "../table.ts";

interface Options extends ApiOptions {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

export function addImport(parent: Command, shell: CommandContext): void {
  const command = parent
    .command("import")
    .summary("make an account what such a document says")
    .description(
      "Makes an account what a document of `export` says. A record is the one with its id, otherwise the one with its name (a check: with its label, type and target), otherwise it is made. To import the same again changes nothing. Subaccounts that are not there are made; nothing is deleted without --prune, and an account never.",
    )
    .argument("<file>", "the document; - for standard input")
    .option("--dry-run", "only say what would be done")
    .option("--prune", "delete the records and addresses that the document does not have");
  withApiOptions(command)
    .addHelpText(
      "after",
      `
Each record gets a line: + is made, ~ is changed, = is the same already, - is deleted.

Examples:
  $ ./watchpost import --dry-run watchpost.json
  $ ./watchpost export --url https://old.example.com --token <token> | ./watchpost import -`,
    )
    .action(async (file: string, { account, dryRun, prune = false, ...options }: Options) => {
      const document = parseDocument(await contentOf(file, shell));
      const api = createApiClient(shell, options);
      // All accounts are planned before the first one is touched, so that what cannot be taken is refused whole.
      const planned: Planned[] = [];
      for (const target of await importAccounts(api, document, account))
        planned.push(await plannedFor(api, target, prune));
      for (const warning of new Set(planned.flatMap(({ plan }) => plan.warnings)))
        shell.printError(`! ${stripControlCharacters(warning)}\n`);
      const report = createImportReport(shell);
      if (dryRun === true) {
        for (const { target, plan } of planned)
          for (const step of plan.steps) report.addStep(target, step);
        return shell.print(`It would be: ${report.summary()}\n`);
      }
      await carryOut(api, planned, report);
      shell.print(`${report.summary()}\n`);
    });
}

function contentOf(file: string, shell: CommandContext): Promise<string> {
  if (file === "-") return shell.readInput();
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new CommandError(messageOf(cause), { cause });
  });
}

interface Planned {
  readonly target: ImportAccount;
  readonly options: PlanOptions;
  readonly plan: Plan;
}

async function plannedFor(api: ApiClient, target: ImportAccount, prune: boolean): Promise<Planned> {
  const { id, wanted, isSubaccount } = target;
  const options = { prune, isSubaccount };
  if (id !== undefined)
    return { target, options, plan: planOf(wanted, await readConfiguration(api, id), options) };
  // Whether it can be made at all.
  newAccountParameters(wanted);
  return { target, options, plan: planOf(wanted, newAccountConfiguration(wanted), options) };
}

async function carryOut(
  api: ApiClient,
  planned: readonly Planned[],
  report: ImportReport,
): Promise<void> {
  try {
    for (const { target, options, plan } of planned) {
      const { id, wanted } = target;
      const accountId = id ?? (await makeAccount(api, wanted));
      const due =
        id === undefined ? planOf(wanted, await readConfiguration(api, accountId), options) : plan;
      await applyPlan(due, { api, accountId }, (step, answer) =>
        report.addStep(target, step, answer),
      );
    }
  } catch (error) {
    throw new CommandError(
      `${messageOf(error)}\nUntil then: ${report.counts()} It is safe to import the document again.`,
      { cause: error },
    );
  }
}

const made = z.object({ _id: z.string() });

async function makeAccount(api: ApiClient, wanted: Configuration): Promise<string> {
  const { _id: id, customer_name: name } = wanted.account;
  const answer = await api("POST", "accounts", newAccountParameters(wanted)).catch(
    (error: unknown) => {
      throw recordError({ kind: "account", id, name }, error);
    },
  );
  return parseResponse(made, answer)._id;
}

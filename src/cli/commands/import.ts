import { readFile } from "node:fs/promises";

import type { Command } from "commander";
import { z } from "zod";

import { messageOf } from "../../kit/errors.ts";
import { fileTrouble } from "../../kit/files/file-error.ts";
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

export function addImport(parent: Command, context: CommandContext): void {
  const command = parent
    .command("import")
    .description(
      "Changes an account to match a document of `export`. Records are matched by id, otherwise by name (checks: by label, type and target), otherwise created. Importing the same document again changes nothing. Missing subaccounts are created; nothing is deleted without --prune, and accounts never are.",
    )
    .argument("<file>", "the document; - for standard input")
    .option("--dry-run", "only print what would be done")
    .option("--prune", "delete records and addresses that are not in the document");
  withApiOptions(command)
    .addHelpText(
      "after",
      `
One line per record: + created, ~ changed, = unchanged, - deleted.

Examples:
  $ ./watchpost import --dry-run watchpost.json
  $ ./watchpost export --url https://old.example.com --token <token> | ./watchpost import -`,
    )
    .action(async (file: string, { account, dryRun, prune = false, ...options }: Options) => {
      const document = parseDocument(await contentOf(file, context));
      const api = createApiClient(context, options);
      // All accounts are planned before the first change, so that an invalid document changes nothing.
      const planned: Planned[] = [];
      for (const target of await importAccounts(api, document, account))
        planned.push(await plannedFor(api, target, prune));
      for (const warning of new Set(planned.flatMap(({ plan }) => plan.warnings)))
        context.printError(`! ${stripControlCharacters(warning)}\n`);
      const report = createImportReport(context);
      if (dryRun === true) {
        for (const { target, plan } of planned)
          for (const step of plan.steps) report.addStep(target, step);
        return context.print(`Dry run: ${report.summary()}\n`);
      }
      await carryOut(api, planned, report);
      context.print(`${report.summary()}\n`);
    });
}

function contentOf(file: string, context: CommandContext): Promise<string> {
  if (file === "-") return context.readInput();
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new CommandError(`cannot read ${JSON.stringify(file)}: ${fileTrouble(cause)}`, { cause });
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
  // Throws if the account cannot be created.
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
      `${messageOf(error)}\nDone before the error: ${report.counts()} It is safe to import the document again.`,
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

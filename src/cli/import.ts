import { readFile } from "node:fs/promises";

import type { Command } from "commander";
import { z } from "zod";

import { messageOf } from "../kit/errors.ts";
import { apiOf, understood, withApiOptions } from "./api.ts";
import type { Api, ApiOptions } from "./api.ts";
import { apply } from "./configuration/apply.ts";
import { parseDocument } from "./configuration/document.ts";
import type { Configuration } from "./configuration/document.ts";
import { refusalOf } from "./configuration/named.ts";
import { planOf } from "./configuration/plan.ts";
import type { Plan, PlanOptions } from "./configuration/plan.ts";
import { readConfiguration } from "./configuration/read.ts";
import { newAccountOf, newConfiguration, targetsOf } from "./configuration/targets.ts";
import type { Target } from "./configuration/targets.ts";
import { createReport } from "./report.ts";
import type { Report } from "./report.ts";
import { Refusal } from "./shell.ts";
import type { Shell } from "./shell.ts";
import { printable } from "./table.ts";

interface Options extends ApiOptions {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

export function addImport(parent: Command, shell: Shell): void {
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
      const api = apiOf(shell, options);
      // All accounts are planned before the first one is touched, so that what cannot be taken is refused whole.
      const planned: Planned[] = [];
      for (const target of await targetsOf(api, document, account))
        planned.push(await plannedFor(api, target, prune));
      for (const warning of new Set(planned.flatMap(({ plan }) => plan.warnings)))
        shell.note(`! ${printable(warning)}\n`);
      const report = createReport(shell);
      if (dryRun === true) {
        for (const { target, plan } of planned)
          for (const step of plan.steps) report.tell(target, step);
        return shell.print(`It would be: ${report.summary()}\n`);
      }
      await carryOut(api, planned, report);
      shell.print(`${report.summary()}\n`);
    });
}

function contentOf(file: string, shell: Shell): Promise<string> {
  if (file === "-") return shell.readInput();
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new Refusal(messageOf(cause), { cause });
  });
}

interface Planned {
  readonly target: Target;
  readonly options: PlanOptions;
  readonly plan: Plan;
}

async function plannedFor(api: Api, target: Target, prune: boolean): Promise<Planned> {
  const { id, wanted, isSubaccount } = target;
  const options = { prune, isSubaccount };
  if (id !== undefined)
    return { target, options, plan: planOf(wanted, await readConfiguration(api, id), options) };
  // Whether it can be made at all.
  newAccountOf(wanted);
  return { target, options, plan: planOf(wanted, newConfiguration(wanted), options) };
}

async function carryOut(api: Api, planned: readonly Planned[], report: Report): Promise<void> {
  try {
    for (const { target, options, plan } of planned) {
      const { id, wanted } = target;
      const accountId = id ?? (await makeAccount(api, wanted));
      const due =
        id === undefined ? planOf(wanted, await readConfiguration(api, accountId), options) : plan;
      await apply(due, { api, accountId }, (step, answer) => report.tell(target, step, answer));
    }
  } catch (error) {
    throw new Refusal(
      `${messageOf(error)}\nUntil then: ${report.counts()} It is safe to import the document again.`,
      { cause: error },
    );
  }
}

const made = z.object({ _id: z.string() });

async function makeAccount(api: Api, wanted: Configuration): Promise<string> {
  const { _id: id, customer_name: name } = wanted.account;
  const answer = await api("POST", "accounts", newAccountOf(wanted)).catch((error: unknown) => {
    throw refusalOf({ kind: "account", id, name }, error);
  });
  return understood(made, answer)._id;
}

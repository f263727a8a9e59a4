import type { Command } from "commander";
import { z } from "zod";

import { nextClockChange, offsetIn } from "../../domain/account/time-zone.ts";
import { parseTimeZone } from "../../schema/time-zone.ts";
import {
  createApiClient,
  withApiOptions,
  type ApiOptions,
  parseResponse,
  type ApiClient,
} from "../api-client.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { stripControlCharacters } from "../table.ts";
import {
  boundedHistory,
  describeHistory,
  describeMonths,
  historyFigures,
} from "./history/history.ts";
import { countOf } from "./history/history-files.ts";
import type { Imported, ImportSystem, RemoteSystem } from "./imported.ts";
import { originOf } from "./import-origin.ts";
import { allSteps, importPlanOf, type ImportPlan } from "./import-plan.ts";
import { createRemoteApi, remoteToken, type RemoteOptions } from "./remote-api.ts";
import { importSystems } from "./systems.ts";
import { runUpdate } from "./update/run-update.ts";
import { writeImport, type Written } from "./write-import.ts";

interface Options extends ApiOptions, RemoteOptions {
  readonly plan?: boolean;
  readonly months?: boolean;
  readonly json?: boolean;
  readonly origin?: string;
  readonly update?: boolean;
  readonly delete?: boolean;
  readonly yes?: boolean;
}

type Outcome = Written["action"];

const signs: Readonly<Record<Outcome, string>> = { create: "+", adopt: "~", keep: "=", fail: "!" };

/** Adds a command for each system to the one that imports. */
export function addImportSystems(parent: Command, context: CommandContext): void {
  for (const system of importSystems) addSystem(parent, system, context);
}

function addSystem(parent: Command, system: ImportSystem, context: CommandContext): void {
  const command = parent
    .command(system.name)
    .description(
      `Imports from ${system.description} What comes differently, and what cannot come, is said with the reason. What was imported before stays as it is here: a second import does nothing. With --update it shows what has changed there since, and applies that after a question.`,
    )
    .argument(system.remote === undefined ? "<path>" : "[path]", "the file, or a folder of them")
    .option("--plan", "only print what would be done")
    .option("--months", "print the uptime of each month beside that of the other system")
    .option("--json", "print the plan, or what was done, as JSON")
    .option(
      "--origin <name>",
      "which one of several installations it is (default: the name of the system, with a fingerprint of the installation if it has one)",
    );
  command
    .option("--update", "show what differs from what was imported, and apply what changed there")
    .option("--delete", "with --update, delete what is gone there")
    .option("--yes", "with --update, apply without asking");
  if (system.remote !== undefined) withRemoteOptions(command, system.remote);
  withApiOptions(command)
    .addHelpText(
      "after",
      `
One line per record: + created, ~ was there already, = imported before, - cannot come, ! refused.

Examples:
  $ ./watchpost import ${system.name} ./from-there --plan
  $ ./watchpost import ${system.name} ./from-there
  $ ./watchpost import ${system.name} ./from-there --update`,
    )
    .action(async (path: string | undefined, sent: Options) => {
      const { plan = false, months: showsMonths = false, json = false, origin, ...others } = sent;
      const { update = false, delete: deletes = false, yes = false, ...options } = others;
      if (!update && (deletes || yes)) throw new CommandError("--delete and --yes need --update");
      const { progress } = context.terminal;
      progress?.show("reading what there is", 0);
      const read = await readFrom(system, { path, options }, context).finally(() =>
        progress?.clear(),
      );
      const now = context.clock.now();
      const api = createApiClient(context, options);
      const about = { origin: system.name, now };
      const imported = await withAccountClock(
        api,
        withoutPast(withBoundedHistories(read, now), now),
        about,
      );
      const name = origin ?? (await originOf(api, { system, imported }));
      const planned = await importPlanOf(api, imported, name);
      if (update)
        return runUpdate(context, { api, origin: name, planned, plan, yes, json, deletes });
      const report = createReport(context, { json, showsMonths, imported, planned, origin: name });
      if (plan) return report.plan();
      await writeImport(planned, { api, origin: name, wrote: report.wrote }).finally(() =>
        progress?.clear(),
      );
      report.end();
      if (report.failures() > 0)
        throw new CommandError(
          `${countOf(report.failures(), "record")} refused; it is safe to import again`,
        );
    });
}

function withRemoteOptions(command: Command, { usualUrl }: RemoteSystem): void {
  command
    .optionsGroup("By its API, in place of files:")
    .option("--from-token-env <name>", "the variable of the environment that has its token")
    .option("--from-token-file <file>", "the file that has its token")
    .option("--from-url <url>", "where its API is", usualUrl);
}

async function readFrom(
  system: ImportSystem,
  { path, options }: { readonly path: string | undefined; readonly options: RemoteOptions },
  context: CommandContext,
): Promise<Imported> {
  const isRemote = options.fromTokenEnv !== undefined || options.fromTokenFile !== undefined;
  if (path !== undefined && isRemote)
    throw new CommandError("give files or a token of its API, not both");
  if (path !== undefined) return system.read(path, context.environment);
  if (system.remote === undefined || !isRemote)
    throw new CommandError("give the path of files, or --from-token-env to read its API");
  const token = await remoteToken(context, options);
  const { remote } = system;
  return remote.read(createRemoteApi(context, { system: remote, url: options.fromUrl, token }));
}

interface Reported {
  readonly json: boolean;
  readonly showsMonths: boolean;
  readonly imported: Imported;
  readonly planned: ImportPlan;
  readonly origin: string;
}

function createReport(
  context: CommandContext,
  { json, showsMonths, imported, planned, origin }: Reported,
) {
  const written: Written[] = [];
  const steps = allSteps(planned);
  const print = (line: string): void => context.print(`${stripControlCharacters(line)}\n`);
  const notesOf = new Map(
    steps.map(({ kind, action, record }) => [
      `${kind} ${record.from}`,
      action === "create" ? record.notes : [],
    ]),
  );
  const historyOf = new Map(
    planned.checks.map(({ action, record: { from, history } }) => [
      from,
      action === "keep" && !showsMonths ? undefined : history,
    ]),
  );
  const printNotes = (kind: string, from: string): void => {
    const history = kind === "check" ? historyOf.get(from) : undefined;
    if (history !== undefined) {
      print(`    history: ${describeHistory(history)}`);
      if (showsMonths) for (const line of describeMonths(history)) print(`      ${line}`);
    }
    for (const { outcome, field, reason } of notesOf.get(`${kind} ${from}`) ?? [])
      print(`    ${outcome}: ${field}: ${reason}`);
  };
  const counts = (outcomes: readonly Outcome[], created: string): string => {
    const of = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
    const refused = of("fail") === 0 ? "" : ` ${of("fail")} refused,`;
    return `${of("create")} ${created}, ${of("adopt")} already there, ${of("keep")} imported before,${refused} ${imported.absent.length} cannot come.`;
  };
  const printAbsent = (): void => {
    for (const { kind, from, name, reason } of imported.absent)
      print(`- ${kind} ${from}, ${name}: ${reason}`);
  };
  const printWritten = (each: Written): void => {
    const shown = each.id === undefined ? "" : `: ${each.id}`;
    print(`${signs[each.action]} ${each.kind} ${each.from}, ${each.name}${shown}`);
    if (each.action !== "fail") printNotes(each.kind, each.from);
    for (const warning of each.warnings) print(`    ${warning}`);
  };
  return {
    plan(): void {
      if (json)
        return context.print(
          `${JSON.stringify({ origin, ...planToJson(planned) }, undefined, 2)}\n`,
        );
      for (const { kind, action, record } of steps) {
        print(`${signs[action]} ${kind} ${record.from}, ${record.name}`);
        printNotes(kind, record.from);
      }
      printAbsent();
      print(`Origin: ${origin}`);
      const actions = steps.map(({ action }) => action);
      print(`Plan: ${counts(actions, "to create")}`);
    },
    wrote: (each: Written): void => {
      const { progress } = context.terminal;
      written.push(each);
      progress?.clear();
      if (!json) printWritten(each);
      progress?.show("importing", written.length / steps.length);
    },
    failures: (): number => written.filter(({ action }) => action === "fail").length,
    end(): void {
      const { absent } = imported;
      if (json)
        return context.print(
          `${JSON.stringify({ origin, records: written, absent }, undefined, 2)}\n`,
        );
      printAbsent();
      const actions = written.map(({ action }) => action);
      print(counts(actions, "created"));
    },
  };
}

function planToJson(planned: ImportPlan): object {
  const records = allSteps(planned).map(({ record, ...step }) => ({
    ...step,
    ...record,
    ...("history" in record &&
      record.history !== undefined && { history: historyFigures(record.history) }),
  }));
  return { records, absent: planned.absent };
}

/** Without single maintenances that have begun, which cannot be planned anymore. */
function withoutPast(imported: Imported, now: number): Imported {
  const hasBegun = ({ parameters }: Imported["maintenance"][number]): boolean =>
    typeof parameters.start === "number" && parameters.start <= now;
  const past = imported.maintenance.filter(hasBegun).map(({ from, name }) => {
    const reason = "it was planned once, and has begun or is over";
    return { kind: "maintenance", from, name, reason };
  });
  const maintenance = imported.maintenance.filter((each) => !hasBegun(each));
  return { ...imported, maintenance, absent: [...imported.absent, ...past] };
}

/** Without what is older, or more, than an installation takes. */
function withBoundedHistories(imported: Imported, now: number): Imported {
  const checks = imported.checks.map(({ history, ...check }) => {
    const bounded = history === undefined ? undefined : boundedHistory(history, now);
    return bounded === undefined ? check : { ...check, history: bounded };
  });
  return { ...imported, checks };
}

/** Rules of time zones are known for some years. */
const COMPARED_MS = 2 * 366 * 86_400_000;

const target = z.object({ customer_id: z.string() });
const accountZone = z.object({ timezone: z.string(), timezonename: z.string().optional() });

/** Has maintenances that recur by other clocks than the account's come disabled, because they would be at other times here. */
async function withAccountClock(
  api: ApiClient,
  imported: Imported,
  { origin, now }: { readonly origin: string; readonly now: number },
): Promise<Imported> {
  if (imported.maintenance.every(({ timeZone }) => timeZone === undefined)) return imported;
  const { customer_id: customerid } = parseResponse(
    target,
    await api("GET", "imports", { origin }),
  );
  const account = await api("GET", "accounts", { customerid });
  const { timezone, timezonename } = parseResponse(accountZone, account);
  const ours = timezonename ?? timezone;
  const maintenance = imported.maintenance.map((each) => {
    const { timeZone, parameters, notes } = each;
    if (timeZone === undefined || showSameTimes([timeZone, ours], now)) return each;
    const reason = `its times are those of ${timeZone}, and here they would be those of the account's time zone, ${ours}; it is off`;
    return {
      ...each,
      parameters: { ...parameters, enabled: false },
      notes: [...notes, { outcome: "changed", field: "timezone", reason } as const],
    };
  });
  return { ...imported, maintenance };
}

/** Returns whether clocks of the zones show the same for the next years; not for a zone that is not known. */
function showSameTimes(texts: readonly string[], now: number): boolean {
  const zones = texts.map(parseTimeZone);
  const [one, other] = zones.map((zone) => zone && JSON.stringify(offsetsFrom(zone, now)));
  return one !== undefined && one === other;
}

/** The offset at that time, and at each change of the clocks after it. */
function offsetsFrom(timeZone: string, now: number): readonly (readonly [number, number])[] {
  const offsets = [[now, offsetIn(timeZone, now)] as const];
  let change = nextClockChange(timeZone, now);
  while (change !== undefined && change < now + COMPARED_MS) {
    offsets.push([change, offsetIn(timeZone, change)]);
    change = nextClockChange(timeZone, change);
  }
  return offsets;
}

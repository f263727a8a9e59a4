import { messageOf } from "../../../kit/errors.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import type { ApiClient, JsonObject } from "../../api-client.ts";
import { CommandEnd, CommandError, type CommandContext } from "../../command-context.ts";
import { countsInWords, type PlannedChange } from "../../configuration/change-words.ts";
import { confirm } from "../../derived/confirmation.ts";
import { exitCodes } from "../../exit-codes.ts";
import { stripControlCharacters } from "../../table.ts";
import type { ImportPlan } from "../import-plan.ts";
import { resourceOf, writeImport, type ImportedIds, parametersOf } from "../write-import.ts";
import { addressParameters } from "./address-parameters.ts";
import { localFieldsOf, newPairs, recordOf } from "./members.ts";
import type { Pairs } from "./digests.ts";
import {
  updatePlanOf,
  type GoneRecord,
  type RecordUpdate,
  type UpdatePlan,
} from "./update-plan.ts";
import { countDifferences, differencesToJson, printDifferences, titleOf } from "./update-report.ts";

interface Wish {
  readonly api: ApiClient;
  readonly origin: string;
  readonly planned: ImportPlan;
  /** Whether the differences are only shown. */
  readonly plan: boolean;
  readonly yes: boolean;
  readonly json: boolean;
  /** Whether what is gone there is deleted here. */
  readonly deletes: boolean;
}

/** Shows how what was imported differs from what the source has now, and applies that. */
export async function runUpdate(context: CommandContext, wish: Wish): Promise<void> {
  const { planned, origin, plan, yes, json, deletes } = wish;
  const update = updatePlanOf(planned);
  const differences = { planned, update, deletes };
  const counts = countDifferences(differences);
  const hasChanges = counts.create + counts.change + counts.prune + counts.takeover > 0;
  const isShownOnly = plan || (!yes && context.terminal.ask === undefined);
  const print = json ? () => undefined : context.print;
  const printJson = (done: object): void => {
    const shown = { origin, ...differencesToJson(differences), ...done };
    if (json) context.print(`${JSON.stringify(shown, undefined, 2)}\n`);
  };
  printDifferences({ print, terminal: context.terminal }, differences);
  print(hasChanges ? `Plan: ${countsInWords(counts, "plan")}\n` : "No changes.\n");
  if (isShownOnly) {
    printJson({});
    if (!hasChanges) return;
    if (!plan) context.printError("Nothing was changed: --yes applies it.\n");
    throw new CommandEnd(exitCodes.changes);
  }
  const question = counts.prune > 0 ? `Apply this, and delete ${counts.prune}?` : "Apply this?";
  if (hasChanges) await confirm(question, { yes }, context);
  const done = await applyAll(context, wish, update);
  printJson({ applied: done.counts });
  if (hasChanges) print(`${countsInWords(done.counts, "apply")}\n`);
  if (done.failures > 0)
    throw new CommandError(`${done.failures} changes were refused. It is safe to repeat it.`);
}

interface Tally {
  readonly counts: Record<PlannedChange, number>;
  failures: number;
  readonly say: (title: string, reason: string) => void;
}

async function applyAll(
  { printError }: CommandContext,
  { planned, api, origin, deletes }: Wish,
  { updates, gone }: UpdatePlan,
): Promise<Tally> {
  const tally: Tally = {
    counts: { create: 0, change: 0, prune: 0, takeover: 0, same: 0 },
    failures: 0,
    say: (title, reason) => printError(`! ${stripControlCharacters(`${title}: ${reason}`)}\n`),
  };
  const ids = await writeImport(planned, {
    api,
    origin,
    wrote({ action, warnings, ...record }) {
      for (const warning of warnings) tally.say(titleOf(record), warning);
      if (action === "fail") tally.failures += 1;
      else if (action !== "keep") tally.counts[action === "create" ? "create" : "takeover"] += 1;
    },
  });
  const trying = async (
    record: Pick<GoneRecord, "kind" | "name">,
    act: () => Promise<PlannedChange>,
  ) => {
    try {
      tally.counts[await act()] += 1;
    } catch (error) {
      tally.failures += 1;
      tally.say(titleOf(record), messageOf(error));
    }
  };
  for (const each of updates) {
    const { kind, record } = each.step;
    await trying({ kind, name: record.name }, () =>
      applyUpdate(each, { api, origin, planned, ids }),
    );
  }
  for (const each of deletes ? gone : [])
    await trying(each, async () => {
      await api("DELETE", `${resourceOf[each.kind]}/${each.id}`);
      return "prune";
    });
  return tally;
}

interface Applying extends Pick<Wish, "api" | "origin" | "planned"> {
  readonly ids: ImportedIds;
}

async function applyUpdate(
  update: RecordUpdate,
  { api, origin, planned: { known }, ids }: Applying,
): Promise<PlannedChange> {
  const { step, changes, held, isNews } = update;
  const { kind, id, record } = step;
  const isChanged = changes.length > 0;
  if (!isNews) return "same";
  const here = isChanged
    ? recordOf(
        await api("PUT", `${resourceOf[kind]}/${id}`, changeParameters(update, { known, ids })),
        id,
      )
    : (known.records[kind].get(id) ?? {});
  const pairs = newPairs({ step, here }, known.digest);
  const before = known.pairs[kind][record.from];
  const fields = pairs && { ...pairs, ...heldPairs(held, before) };
  if (fields !== undefined)
    await api("POST", `imports/${id}`, { origin, from: record.from, fields });
  return isChanged ? "change" : "same";
}

/** Changes that were not applied are reported again the next time. */
function heldPairs(held: RecordUpdate["held"], before: Pairs = {}): Pairs {
  const names = new Set(held.map(({ change }) => change.name));
  return Object.fromEntries(Object.entries(before).filter(([name]) => names.has(name)));
}

/** Returns the parameters of the PUT that changes the record. */
function changeParameters(
  { step, changes }: RecordUpdate,
  { known, ids }: Pick<ImportPlan, "known"> & { readonly ids: ImportedIds },
): JsonObject {
  const { kind } = step;
  const record = known.records[kind].get(step.id) ?? {};
  const names = changes.map(({ name }) => name);
  if (kind === "contact")
    return {
      ...(names.includes("name") && { name: step.record.name }),
      ...(names.includes("addresses") && addressParameters(step.record.addresses, record)),
    };
  const [wanted, here] = [parametersOf(step, ids), localFieldsOf(kind, record)];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [value, before] = [wanted[name], here[name]];
      // A cron and a start take the place of each other.
      if (value === undefined && kind === "maintenance") return [];
      if (value === undefined) return [[name, Array.isArray(before) ? [] : ""]];
      // The API merges objects by key.
      return [[name, isRecord(value) && isRecord(before) ? { ...nulls(before), ...value } : value]];
    }),
  );
}

function nulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(values).map((name) => [name, null]));
}

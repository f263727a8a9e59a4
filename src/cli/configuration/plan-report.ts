import { assignedParameters } from "../assigned-parameters.ts";
import type { JsonObject } from "../api-client.ts";
import type { CommandContext } from "../command-context.ts";
import { recordTitle } from "./step.ts";
import type { AccountPlan, PlanItem } from "./account-plan.ts";
import {
  changeLine,
  countsInWords,
  differenceOf,
  type PlannedChange,
  type Tense,
} from "./change-words.ts";
import { redactedValue, type Redact } from "./source/redact.ts";
import { valueChanges, withNames } from "./value-changes.ts";

/** The changes of each record, for people. */
export interface PlanReport {
  readonly add: (plan: AccountPlan, item: PlanItem, answer?: JsonObject) => void;
  readonly counts: () => string;
  readonly hasChanges: () => boolean;
  readonly summary: () => string;
}

export function createPlanReport(
  { print, terminal }: Pick<CommandContext, "print" | "terminal">,
  { tense, redact }: { readonly tense: Tense; readonly redact: Redact },
): PlanReport {
  const counts = { create: 0, change: 0, prune: 0, takeover: 0, same: 0 };
  const counted = (): string => countsInWords(counts, tense);
  const hasChanges = (): boolean =>
    counts.create + counts.change + counts.prune + counts.takeover > 0;
  return {
    add(plan, item, answer) {
      const change = changeOf(plan, item);
      if (!isOfFiles(item, change)) return;
      counts[change] += 1;
      if (change === "same") return;
      print(changeLine(change, lineOf(plan, item, { change, redact }), terminal));
      if (change !== "create" || answer === undefined) return;
      const assigned = assignedParameters(answer);
      if (assigned.length > 0) print(`  id ${String(answer._id)}, ${assigned.join(", ")}\n`);
    },
    counts: counted,
    hasChanges,
    summary() {
      if (hasChanges()) return tense === "plan" ? `Plan: ${counted()}` : counted();
      if (counts.same === 0) return "No changes. The files contain no records.";
      const [records, match] = counts.same === 1 ? ["record", "matches"] : ["records", "match"];
      return `No changes. ${counts.same} ${records} ${match} the files.`;
    },
  };
}

/** Every plan has a step for the account, whether or not the files have settings for it. */
function isOfFiles({ step, record }: PlanItem, change: PlannedChange): boolean {
  return step.kind !== "account" || record !== undefined || change !== "same";
}

export function changeOf({ target }: AccountPlan, { step, isTakenOver }: PlanItem): PlannedChange {
  // A new account is made before its first step.
  if (target.accountId === undefined && step.kind === "account" && step.change !== "prune")
    return "create";
  return step.change === "same" && isTakenOver ? "takeover" : step.change;
}

function lineOf(
  plan: AccountPlan,
  item: PlanItem,
  { change, redact }: { readonly change: PlannedChange; readonly redact: Redact },
): string {
  const { step, isDrift, isTakenOver } = item;
  const where = plan.target.subaccount === undefined ? "" : `${plan.target.subaccount}: `;
  const title = `${where}${recordTitle({ kind: step.kind, name: redact(step.name) })}`;
  if (change === "takeover") return `${title}: exists, and is managed by these files from now on`;
  if (change !== "change") return title;
  const notes = [
    ...(isDrift ? ["changed elsewhere since it was applied"] : []),
    ...(isTakenOver ? ["existed before"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  const named = withNames(plan, redact);
  const shown = (value: unknown): unknown => named(redactedValue(value, redact));
  const differences = valueChanges(plan, item).map((each) => differenceOf(each, shown));
  return `${title}: ${differences.join(", ")}${note}`;
}

/** The plan for programs. */
export function planToJson(plans: readonly AccountPlan[], redact: Redact): JsonObject {
  return {
    configuration: plans[0]?.target.name,
    accounts: plans.map((plan) => ({
      ...(plan.target.subaccount !== undefined && { subaccount: plan.target.subaccount }),
      ...(plan.target.accountId !== undefined && { id: plan.target.accountId }),
      changes: plan.items.flatMap((item) => {
        const change = changeOf(plan, item);
        if (change === "same") return [];
        const { step, key, id, isDrift } = item;
        return [
          {
            change,
            kind: step.kind,
            name: redact(step.name),
            ...(key !== undefined && { key }),
            ...(id !== undefined && { id }),
            differences: step.differences,
            values: redactedValue(valuesOf(plan, item), redact),
            drift: isDrift,
          },
        ];
      }),
      abandoned: plan.abandoned,
    })),
  };
}

/** Values by name; secrets have neither value. */
function valuesOf(plan: AccountPlan, item: PlanItem): JsonObject {
  return Object.fromEntries(
    valueChanges(plan, item).map((change) => {
      if (change.isSecret) return [change.name, { secret: true }];
      const { name, before, after } = change;
      return [name, item.step.change === "create" ? { after } : { before, after }];
    }),
  );
}

import { isRecord } from "../../kit/safe-json.ts";
import { assignedParameters } from "../assigned-parameters.ts";
import type { JsonObject } from "../api-client.ts";
import type { CommandContext } from "../command-context.ts";
import { recordTitle } from "../configuration/step.ts";
import type { Step } from "../configuration/step.ts";
import { stripControlCharacters } from "../table.ts";
import { sectionOfKind } from "./account-plan.ts";
import type { AccountPlan, PlanItem } from "./account-plan.ts";

/** What is or was done with each record, for people and as JSON. */
export interface PlanReport {
  readonly add: (plan: AccountPlan, item: PlanItem, answer?: JsonObject) => void;
  readonly counts: () => string;
  /** Whether anything is or was to be done. */
  readonly hasChanges: () => boolean;
  readonly summary: () => string;
}

type Change = Step["change"] | "takeover";

const signs = { create: "+", change: "~", same: " ", prune: "-", takeover: "=" } as const;
const colors = { create: 32, change: 33, same: 0, prune: 31, takeover: 36 } as const;

export function createPlanReport({
  print,
  terminal,
}: Pick<CommandContext, "print" | "terminal">): PlanReport {
  const counts = { create: 0, change: 0, same: 0, prune: 0, takeover: 0 };
  const counted = (): string => {
    const { create, change, same, prune, takeover } = counts;
    const taken = takeover === 0 ? "" : ` ${takeover} taken over,`;
    return `${create} created, ${change} changed, ${prune} deleted,${taken} ${same} unchanged.`;
  };
  const hasChanges = (): boolean =>
    counts.create + counts.change + counts.prune + counts.takeover > 0;
  return {
    add(plan, item, answer) {
      const change = changeOf(plan, item);
      counts[change] += 1;
      if (change === "same") return;
      const line = `${signs[change]} ${stripControlCharacters(lineOf(plan, item, change))}`;
      print(terminal.hasColors ? `\u001B[${colors[change]}m${line}\u001B[0m\n` : `${line}\n`);
      if (change !== "create" || answer === undefined) return;
      const assigned = assignedParameters(answer);
      if (assigned.length > 0) print(`  id ${String(answer._id)}, ${assigned.join(", ")}\n`);
    },
    counts: counted,
    hasChanges,
    summary: () =>
      hasChanges() ? counted() : `Nothing to do, all ${counts.same} are as the files say.`,
  };
}

export function changeOf({ target }: AccountPlan, { step, isTakenOver }: PlanItem): Change {
  // A new account is made before its first step.
  if (target.accountId === undefined && step.kind === "account" && step.change !== "prune")
    return "create";
  return step.change === "same" && isTakenOver ? "takeover" : step.change;
}

function lineOf(plan: AccountPlan, item: PlanItem, change: Change): string {
  const { step, isDrift, isTakenOver } = item;
  const where = plan.target.subaccount === undefined ? "" : `${plan.target.subaccount}: `;
  const title = `${where}${recordTitle(step)}`;
  if (change === "takeover") return `${title}: is there, and managed by these files from now on`;
  if (change !== "change") return title;
  const notes = [
    ...(isDrift ? ["changed elsewhere since it was applied"] : []),
    ...(isTakenOver ? ["was there already"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  return `${title}: ${step.differences.map((name) => differenceOf(plan, item, name)).join(", ")}${note}`;
}

/** Those whose values may be shown to anybody who may see the files. */
const shown: ReadonlySet<string> = new Set(
  "name label type interval enabled public threshold sens recheckwait mute autodiag homeloc custrole duration cron slug domain access language timezone color emailme status".split(
    " ",
  ),
);
const LONGEST_SHOWN = 60;

function differenceOf(
  { current }: AccountPlan,
  { step, record, id }: PlanItem,
  name: string,
): string {
  if (!shown.has(name) || record?.secretMembers.has(name) === true) return name;
  const [call] = step.calls;
  const after = call?.parameters[name];
  const section = sectionOfKind(step.kind);
  const known: unknown =
    section === undefined || id === undefined ? undefined : current[section][id];
  const before = isRecord(known) ? valueIn(known, name) : undefined;
  if (section === undefined) return `${name} → ${worded(after)}`;
  return `${name} ${worded(before)} → ${worded(after)}`;
}

function valueIn(record: JsonObject, name: string): unknown {
  const { parameters } = record;
  const value = record[name] ?? (isRecord(parameters) ? parameters[name] : undefined);
  if (name === "enabled" && (value === "active" || value === "inactive")) return value === "active";
  return value;
}

function worded(value: unknown): string {
  if (value === undefined || value === "") return "(unset)";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** The plan for programs. */
export function planToJson(plans: readonly AccountPlan[]): JsonObject {
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
            name: step.name,
            ...(key !== undefined && { key }),
            ...(id !== undefined && { id }),
            differences: step.differences,
            drift: isDrift,
          },
        ];
      }),
      abandoned: plan.abandoned,
    })),
  };
}

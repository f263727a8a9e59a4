import type { JsonObject } from "./api-client.ts";
import { assignedParameters } from "./assigned-parameters.ts";
import { recordTitle } from "./configuration/step.ts";
import type { Step } from "./configuration/step.ts";
import type { ImportAccount } from "./configuration/import-accounts.ts";
import type { CommandContext } from "./command-context.ts";
import { stripControlCharacters } from "./table.ts";

/** Prints one line for each record, and counts them. */
export interface ImportReport {
  readonly addStep: (target: ImportAccount, step: Step, answer?: JsonObject) => void;
  readonly counts: () => string;
  readonly summary: () => string;
}

const signs = { create: "+", change: "~", same: "=", prune: "-" } as const;

export function createImportReport({ print }: Pick<CommandContext, "print">): ImportReport {
  const counts = { create: 0, change: 0, same: 0, prune: 0 };
  const made = new Set<ImportAccount>();
  const counted = (): string => {
    const { create, change, same, prune } = counts;
    return `${create} created, ${change} changed, ${prune} deleted, ${same} unchanged.`;
  };
  return {
    addStep(target, step, answer) {
      // Further steps of a new account change it.
      const isNewAccount = target.id === undefined && step.kind === "account" && !made.has(target);
      if (isNewAccount) made.add(target);
      const change = isNewAccount ? "create" : step.change;
      counts[change] += 1;
      const differences = change === "change" ? `: ${step.differences.join(", ")}` : "";
      print(`${signs[change]} ${stripControlCharacters(recordTitle(step))}${differences}\n`);
      if (change !== "create" || answer === undefined) return;
      const assigned = assignedParameters(answer);
      if (assigned.length > 0) print(`  id ${String(answer._id)}, ${assigned.join(", ")}\n`);
    },
    counts: counted,
    summary() {
      const { create, change, same, prune } = counts;
      return create + change + prune === 0
        ? `nothing to do, all ${same} are unchanged.`
        : counted();
    },
  };
}

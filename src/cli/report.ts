import type { Values } from "./api.ts";
import { assignedTo } from "./assigned.ts";
import { titleOf } from "./configuration/step.ts";
import type { Step } from "./configuration/step.ts";
import type { Target } from "./configuration/targets.ts";
import type { Shell } from "./shell.ts";
import { printable } from "./table.ts";

/** Tells of each record what becomes of it, and keeps count. */
export interface Report {
  readonly tell: (target: Target, step: Step, answer?: Values) => void;
  readonly counts: () => string;
  readonly summary: () => string;
}

const signs = { create: "+", change: "~", same: "=", prune: "-" } as const;

export function createReport({ print }: Pick<Shell, "print">): Report {
  const counts = { create: 0, change: 0, same: 0, prune: 0 };
  const counted = (): string => {
    const { create, change, same, prune } = counts;
    return `${create} made, ${change} changed, ${prune} deleted, ${same} the same already.`;
  };
  return {
    tell({ id: accountId }, step, answer) {
      const isNewAccount = accountId === undefined && step.kind === "account";
      const change = isNewAccount ? "create" : step.change;
      counts[change] += 1;
      const differences = change === "change" ? `: ${step.differences.join(", ")}` : "";
      print(`${signs[change]} ${printable(titleOf(step))}${differences}\n`);
      if (change !== "create" || answer === undefined) return;
      const assigned = assignedTo(answer);
      if (assigned.length > 0) print(`  id ${String(answer._id)}, ${assigned.join(", ")}\n`);
    },
    counts: counted,
    summary() {
      const { create, change, same, prune } = counts;
      return create + change + prune === 0
        ? `nothing to do, all ${same} are the same already.`
        : counted();
    },
  };
}

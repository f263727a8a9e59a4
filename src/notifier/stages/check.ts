import type { Alert } from "../../domain/alert.ts";
import type { Check } from "../../domain/check.ts";
import type { CheckReads } from "../../store/checks.ts";
import { runStage } from "./run-stage.ts";
import type { StageResult } from "./run-stage.ts";

export interface AlertWithCheck {
  readonly alert: Alert;
  /** The check as it is now. */
  readonly check: Check;
}

/** Drops alerts about a check that was deleted. */
export function requireCheck<Item extends { readonly alert: Alert }>(
  items: readonly Item[],
  { checks }: { readonly checks: Pick<CheckReads, "find"> },
): Promise<StageResult<Item & AlertWithCheck>> {
  return runStage(items, async (item) => {
    const found = await checks.find(item.alert.accountId, item.alert.checkId);
    return found === undefined ? "deleted" : { ...item, check: found.check };
  });
}

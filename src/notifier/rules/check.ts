import type { Alert } from "../../domain/alert/alert.ts";
import { isSwitchedOn, type Check, type CheckState } from "../../domain/check.ts";
import { runStage, type StageResult } from "./run-stage.ts";
import type { Reads } from "../../store/store.ts";

export interface AlertWithCheck {
  readonly alert: Alert;
  /** The check as it is now. */
  readonly check: Check;
  readonly state: CheckState;
}

/** The store then holds it, where the check is still off. */
const HOLD_AFTER_MS = 1000;

/** Drops alerts about a check that was deleted; postpones those that were not judged, but an Up, about one that is off. */
export function requireCheck<Item extends { readonly alert: Alert }>(
  items: readonly Item[],
  { checks, now }: { readonly checks: Pick<Reads["checks"], "find">; readonly now: number },
): Promise<StageResult<Item & AlertWithCheck>> {
  return runStage(items, async (item) => {
    const found = await checks.find(item.alert.accountId, item.alert.checkId);
    if (found === undefined) return "deleted";
    const { kind, judged } = item.alert;
    if (kind !== "up" && !judged && !isSwitchedOn(found.check)) return now + HOLD_AFTER_MS;
    return { ...item, check: found.check, state: found.state };
  });
}

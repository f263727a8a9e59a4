import { isSwitchedOn } from "../../domain/check.ts";
import { isMuted } from "../../domain/contact/mute.ts";
import type { CheckReads } from "../../store/checks.ts";
import type { AlertWithCheck } from "./check.ts";
import { runStage } from "./run-stage.ts";
import type { StageResult } from "./run-stage.ts";

/**
 * Drops alerts about a muted check, or one that depends on a failing check, but no Up: whoever got the Down would go on to believe
 * it. A dependency that was deleted or disabled does not count.
 */
export function dropMuted<Item extends AlertWithCheck>(
  items: readonly Item[],
  { checks, now }: { readonly checks: Pick<CheckReads, "find">; readonly now: number },
): Promise<StageResult<Item>> {
  return runStage(items, async (item) => {
    const { alert, check } = item;
    if (alert.judged || alert.kind === "up") return item;
    if (isMuted(check.mute, now)) return "check_muted";
    if (check.dependsOn === undefined) return item;
    const dependency = await checks.find(check.accountId, check.dependsOn);
    const isDown = dependency?.state.state === "failing" && isSwitchedOn(dependency.check);
    return isDown ? "dependency_down" : item;
  });
}

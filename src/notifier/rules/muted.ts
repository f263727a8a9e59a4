import { startsOutage } from "../../domain/alert/alert.ts";
import { isSwitchedOn } from "../../domain/check.ts";
import { isMuted, type Mute } from "../../domain/contact/mute.ts";
import type { AlertWithCheck } from "./check.ts";
import { postponedFor, runStage, type StageResult } from "./run-stage.ts";
import type { Reads } from "../../store/store.ts";

/** A mute without an end is looked at again when its check or its contact changes. */
const UNTIL_CHANGED_MS = 24 * 60 * 60_000;
/** Leaves a check that recovers with its dependency time for its own run. */
const DEPENDENCY_MS = 60_000;

/** Returns the possible end of a mute. */
export function muteEnd(mute: Mute, now: number): number {
  return typeof mute === "number" ? mute : now + UNTIL_CHANGED_MS;
}

/**
 * Drops alerts about a muted check, or one that depends on a failing check, but no Up: its receiver would still believe the
 * Down. A Down waits until neither is so. A dependency that was deleted or disabled does not count.
 */
export async function dropMuted<Item extends AlertWithCheck>(
  items: readonly Item[],
  { checks, now }: { readonly checks: Pick<Reads["checks"], "find">; readonly now: number },
): Promise<StageResult<Item>> {
  const muted = new Set<string>();
  const result = await runStage(items, async (item) => {
    const { alert, check } = item;
    if (alert.judged || alert.kind === "up") return item;
    if (isMuted(check.mute, now)) {
      muted.add(alert.id);
      return startsOutage(alert) ? muteEnd(check.mute, now) : "check_muted";
    }
    if (check.dependsOn === undefined) return item;
    const dependency = await checks.find(check.accountId, check.dependsOn);
    const isDown = dependency?.state.state === "failing" && isSwitchedOn(dependency.check);
    if (!isDown) return item;
    return startsOutage(alert) ? now + DEPENDENCY_MS : "dependency_down";
  });
  return postponedFor(({ id }) => (muted.has(id) ? "check_muted" : "dependency_down"), result);
}

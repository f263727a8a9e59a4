import { isAlwaysOpen, isOpen } from "../../domain/schedule.ts";
import type { Log } from "../../kit/log.ts";
import type { ScheduleReads } from "../../store/schedules.ts";
import type { AlertWithAccount } from "./account.ts";
import { runStage } from "./run-stage.ts";
import type { StageResult } from "./run-stage.ts";

/** Drops alerts outside the window of their schedule, in the account's own time. A schedule that was deleted does not count. */
export function requireWindow<Item extends AlertWithAccount>(
  items: readonly Item[],
  {
    schedules,
    now,
    log,
  }: { readonly schedules: Pick<ScheduleReads, "find">; readonly now: number; readonly log: Log },
): Promise<StageResult<Item>> {
  return runStage(items, async (item) => {
    const { alert, account } = item;
    if (alert.judged || isAlwaysOpen(alert.schedule)) return item;
    const schedule = await schedules.find(alert.accountId, alert.schedule);
    if (schedule === undefined) {
      log.warn("notifier.unknown_schedule", {
        alert: alert.id,
        check: alert.checkId,
        schedule: alert.schedule,
      });
      return item;
    }
    return isOpen(schedule, now, account.offsetHours) ? item : "outside_window";
  });
}

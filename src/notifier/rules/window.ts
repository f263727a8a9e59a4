import { startsOutage } from "../../domain/alert/alert.ts";
import type { Address } from "../../domain/contact/contact.ts";
import { isAlwaysOpen, isOpen, nextOpening, type Schedule } from "../../domain/schedule.ts";
import type { Log } from "../../kit/log.ts";
import type { AlertWithAccount } from "./account.ts";
import type { AfterDown } from "./require-down-sent.ts";
import { postponedFor, runStage, type StageResult } from "./run-stage.ts";
import type { Reads } from "../../store/store.ts";

export interface WindowContext {
  readonly schedules: Pick<Reads["schedules"], "find">;
  /** Whether an address is that of a service that keeps an incident open until its Up. */
  readonly resolvesIncidents: (address: Address) => boolean;
  readonly now: number;
  readonly log: Log;
}

/**
 * Drops alerts outside the windows of all their schedules, in the account's own time. A Down and an Up wait until the window opens; an Up goes at once
 * to a service that keeps an incident open until then, unless it was never told of the outage. A schedule that was deleted does not count.
 */
export async function requireWindow<Item extends AlertWithAccount & AfterDown>(
  items: readonly Item[],
  { schedules, resolvesIncidents, now, log }: WindowContext,
): Promise<StageResult<Item>> {
  const result = await runStage(items, async (item) => {
    const { alert, account } = item;
    if (alert.judged) return item;
    const closed: Schedule[] = [];
    for (const name of alert.schedules) {
      const schedule = isAlwaysOpen(name) ? "open" : await schedules.find(alert.accountId, name);
      if (schedule === undefined) {
        const { id, checkId: check } = alert;
        log.warn("notifier.unknown_schedule", { alert: id, check, schedule: name }, name);
      }
      if (schedule === undefined || schedule === "open") return item;
      if (isOpen(schedule, now, account.timeZone)) return item;
      closed.push(schedule);
    }
    const isUp = alert.kind === "up";
    if (!isUp && !startsOutage(alert)) return "outside_window";
    if (isUp && item.missed === undefined && resolvesIncidents(item.address)) return item;
    const openings = closed.flatMap((each) => nextOpening(each, now, account.timeZone) ?? []);
    return openings.length === 0 ? "outside_window" : Math.min(...openings);
  });
  return postponedFor(() => "outside_window", result);
}

import type { EarlierAlert } from "../../domain/alert/alert.ts";
import type { Address } from "../../domain/contact/contact.ts";
import { isMuted } from "../../domain/contact/mute.ts";
import { isAlwaysOpen, nextOpening } from "../../domain/schedule.ts";
import type { AlertWithAccount } from "./account.ts";
import type { AlertWithCheck } from "./check.ts";
import type { AfterDown } from "./require-down-sent.ts";
import { runStage, type StageResult } from "./run-stage.ts";
import type { Reads } from "../../store/store.ts";

export interface MissedContext {
  readonly checks: Pick<Reads["checks"], "find">;
  readonly schedules: Pick<Reads["schedules"], "find">;
  readonly states: Pick<Reads["states"], "listDownSpans">;
  /** Whether an address is that of a service that has no use for an outage that is over. */
  readonly dropsPastOutages: (address: Address) => boolean;
  readonly now: number;
}

/**
 * Drops a missed-outage alert whose recipient would not have received the Down either: the rules not yet applied to the Down are judged for the time between
 * its due time and the end of the outage.
 */
export function dropUnwantedMissed<Item extends AlertWithAccount & AlertWithCheck & AfterDown>(
  items: readonly Item[],
  { checks, schedules, states, dropsPastOutages, now }: MissedContext,
): Promise<StageResult<Item>> {
  const isOutsideWindow = async (item: Item, { dueAt }: EarlierAlert): Promise<boolean> => {
    const { alert, account } = item;
    for (const name of alert.schedules) {
      const schedule = isAlwaysOpen(name) ? undefined : await schedules.find(account.id, name);
      const opening = schedule ? nextOpening(schedule, dueAt, account.timeZone) : dueAt;
      if (opening !== undefined && opening < Math.max(alert.createdAt, dueAt + 1)) return false;
    }
    return true;
  };
  const wasDependencyDown = async ({ check }: Item, { dueAt }: EarlierAlert): Promise<boolean> => {
    if (check.dependsOn === undefined) return false;
    const dependency = await checks.find(check.accountId, check.dependsOn);
    if (dependency === undefined) return false;
    return (await states.listDownSpans(dependency.check.no, dueAt, dueAt + 1)).length > 0;
  };
  return runStage(items, async (item) => {
    const { alert, address, check, missed } = item;
    if (missed === undefined) return item;
    if (dropsPastOutages(address)) return "incident_service";
    if (alert.judged) return item;
    const isSilent = (at: number): boolean => isMuted(check.mute, at);
    if (isSilent(now)) return "check_muted";
    if (missed.judged) return item;
    if (isSilent(alert.createdAt)) return "check_muted";
    if (isMuted(address.mute, alert.createdAt)) return "address_muted";
    if (await isOutsideWindow(item, missed)) return "outside_window";
    return (await wasDependencyDown(item, missed)) ? "dependency_down" : item;
  });
}

import { countsAsNotified } from "../../domain/alert/alert.ts";
import type { Alert } from "../../domain/alert/alert.ts";
import type { AlertReads } from "../../store/alerts.ts";
import { runStage } from "./run-stage.ts";
import type { StageResult } from "./run-stage.ts";

/** Drops an Up, and what is said of an acknowledgement, where the Down was not sent to the same address, at every attempt: the first may have ended before it was checked. */
export function requireDownSent<Item extends { readonly alert: Alert }>(
  items: readonly Item[],
  { alerts }: { readonly alerts: Pick<AlertReads, "listByOutage"> },
): Promise<StageResult<Item>> {
  return runStage(items, async (item) => {
    const { kind, outage } = item.alert;
    if (kind !== "up" && kind !== "acknowledged") return item;
    const earlier = outage === undefined ? [] : await alerts.listByOutage(outage, item.alert);
    return earlier.some(countsAsNotified) ? item : "down_not_sent";
  });
}

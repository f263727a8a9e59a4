import {
  isUndeliverable,
  isNotified,
  type Alert,
  type EarlierAlert,
} from "../../domain/alert/alert.ts";
import { runStage, type StageResult } from "./run-stage.ts";
import type { Reads } from "../../store/store.ts";

export interface AfterDown {
  /** The Down that could not be delivered before its outage ended: the Up says so. */
  readonly missed?: EarlierAlert;
}

/**
 * Drops an Up or an acknowledgement if the Down was not sent to the same address but could have been, at every attempt: the first attempt may have ended before
 * the check.
 */
export function requireDownSent<Item extends { readonly alert: Alert }>(
  items: readonly Item[],
  { alerts }: { readonly alerts: Pick<Reads["alerts"], "listByOutage"> },
): Promise<StageResult<Item & AfterDown>> {
  return runStage<Item, Item & AfterDown>(items, async (item) => {
    const { kind, outage } = item.alert;
    if (kind !== "up" && kind !== "acknowledged") return item;
    const earlier = outage === undefined ? [] : await alerts.listByOutage(outage, item.alert);
    if (earlier.some(isNotified)) return item;
    const missed = kind === "up" ? earlier.find(isUndeliverable) : undefined;
    return missed === undefined ? "down_not_sent" : { ...item, missed };
  });
}

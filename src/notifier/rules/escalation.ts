import { isNotified } from "../../domain/alert/alert.ts";
import { runStage, type StageResult } from "./run-stage.ts";
import type { DeliverableAlert } from "./suppressions.ts";
import type { Reads } from "../../store/store.ts";

/** Adds to delayed alerts how many others received the Down earlier, so that the recipient learns that nobody acknowledged it. Drops none. */
export function findUnacknowledged(
  items: readonly DeliverableAlert[],
  {
    alerts,
    states,
  }: {
    readonly alerts: Pick<Reads["alerts"], "listByOutage">;
    readonly states: Pick<Reads["states"], "get">;
  },
): Promise<StageResult<DeliverableAlert>> {
  return runStage(items, async (item) => {
    const { alert } = item;
    const { outage, contactId, addressId } = alert;
    const isLater =
      (alert.kind === "down" || alert.kind === "first") && alert.dueAt > alert.createdAt;
    if (outage === undefined || !isLater) return item;
    // It may have been acknowledged between the end of the delay and now.
    if ((await states.get(alert.checkNo)).acknowledgement !== undefined) return item;
    const earlier = await alerts.listByOutage(outage);
    const others = earlier.filter(
      (other) =>
        isNotified(other) && (other.contactId !== contactId || other.addressId !== addressId),
    );
    return others.length === 0 ? item : { ...item, unacknowledgedBy: others.length };
  });
}

import type { DeliverableAlert } from "./suppressions.ts";
import { runStage, type StageResult } from "./run-stage.ts";

/** The store then holds it, where the address is still not confirmed. */
const HOLD_AFTER_MS = 1000;

/** Postpones alerts to a mailbox whose owner has not agreed to any; drops an Up, for no Down was sent there. */
export function requireConfirmation(
  items: readonly DeliverableAlert[],
  { now }: { readonly now: number },
): Promise<StageResult<DeliverableAlert>> {
  return runStage(items, (item) => {
    // guard: confirmed mailboxes = then
    if (item.address.confirmed) return item;
    return item.alert.kind === "up" ? "address_unconfirmed" : now + HOLD_AFTER_MS;
  });
}

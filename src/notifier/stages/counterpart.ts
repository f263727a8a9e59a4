import { wasHeard } from "../../domain/alert.ts";
import type { Alert } from "../../domain/alert.ts";
import type { AlertReads } from "../../store/alerts.ts";
import { sift } from "./sifted.ts";
import type { Sifted } from "./sifted.ts";

/** Drops an Up where the same address has not heard of the outage's beginning, at every attempt: the first may have ended before it was judged. */
export function requireCounterpart<Item extends { readonly alert: Alert }>(
  items: readonly Item[],
  { alerts }: { readonly alerts: Pick<AlertReads, "listByOutage"> },
): Promise<Sifted<Item>> {
  return sift(items, async (item) => {
    const { kind, outage, contactId, addressId } = item.alert;
    if (kind !== "up") return item;
    const earlier = outage === undefined ? [] : await alerts.listByOutage(outage);
    const heard = earlier.some(
      (down) => down.contactId === contactId && down.addressId === addressId && wasHeard(down),
    );
    return heard ? item : "down_not_sent";
  });
}

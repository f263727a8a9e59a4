import type { Alert } from "../../domain/alert.ts";
import type { CheckReads } from "../../store/checks.ts";
import { sift } from "./sifted.ts";
import type { Sifted } from "./sifted.ts";

/** Drops what is about a check that is gone. */
export function requireCheck<Item extends { readonly alert: Alert }>(
  items: readonly Item[],
  { checks }: { readonly checks: Pick<CheckReads, "find"> },
): Promise<Sifted<Item>> {
  return sift(items, async (item) => {
    const check = await checks.find(item.alert.accountId, item.alert.checkId);
    return check === undefined ? "deleted" : item;
  });
}

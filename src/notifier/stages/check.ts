import type { Alert } from "../../domain/alert.ts";
import type { Check } from "../../domain/check.ts";
import type { CheckReads } from "../../store/checks.ts";
import { sift } from "./sifted.ts";
import type { Sifted } from "./sifted.ts";

export interface Checked {
  readonly alert: Alert;
  /** The check as it is now. */
  readonly check: Check;
}

/** Drops what is about a check that is gone. */
export function requireCheck<Item extends { readonly alert: Alert }>(
  items: readonly Item[],
  { checks }: { readonly checks: Pick<CheckReads, "find"> },
): Promise<Sifted<Item & Checked>> {
  return sift(items, async (item) => {
    const found = await checks.find(item.alert.accountId, item.alert.checkId);
    return found === undefined ? "deleted" : { ...item, check: found.check };
  });
}

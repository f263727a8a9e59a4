import { kindFor } from "../../domain/alert.ts";
import type { AlertKind } from "../../domain/alert.ts";
import type { Accounted } from "./account.ts";
import { isFirstAttempt, sift } from "./sifted.ts";
import type { Sifted } from "./sifted.ts";

export interface Wanted extends Accounted {
  /** The kind under which it goes out. */
  readonly kind: AlertKind;
}

/** Drops the kinds that an address does not want; a retry only what goes to an address that wants nothing at all any more. */
export function applySuppressions(items: readonly Accounted[]): Promise<Sifted<Wanted>> {
  return sift(items, (item) => {
    const verdict = kindFor(item.alert, item.address.suppress);
    if ("kind" in verdict) return { ...item, kind: verdict.kind };
    if (isFirstAttempt(item.alert) || item.address.suppress.all) return verdict.dropped;
    return { ...item, kind: item.alert.kind };
  });
}

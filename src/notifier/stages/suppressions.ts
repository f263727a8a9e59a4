import { kindFor } from "../../domain/alert.ts";
import type { AlertKind } from "../../domain/alert.ts";
import { isMuted } from "../../domain/mute.ts";
import type { Accounted } from "./account.ts";
import { isFirstAttempt, sift } from "./sifted.ts";
import type { Sifted } from "./sifted.ts";

export interface Wanted extends Accounted {
  /** The kind under which it goes out. */
  readonly kind: AlertKind;
}

/** Drops what goes to an address that is muted, and the kinds that it does not want; a retry only where it wants nothing at all any more. */
export function applySuppressions(
  items: readonly Accounted[],
  { now }: { readonly now: number },
): Promise<Sifted<Wanted>> {
  return sift(items, (item) => {
    if (isFirstAttempt(item.alert) && isMuted(item.address.mute, now)) return "address_muted";
    const verdict = kindFor(item.alert, item.address.suppress);
    if ("kind" in verdict) return { ...item, kind: verdict.kind };
    if (isFirstAttempt(item.alert) || item.address.suppress.all) return verdict.dropped;
    return { ...item, kind: item.alert.kind };
  });
}

import type { AlertContext } from "../channel.ts";
import { pageUrlOf } from "../format/alert-text.ts";

export interface NamedLink {
  readonly title: string;
  readonly url: string;
}

/** Returns links for receivers with buttons: the check, and the acknowledgement of its outage. */
export function linksOf(context: AlertContext): readonly [NamedLink, ...NamedLink[]] {
  return [{ title: "Watchpost", url: pageUrlOf(context) }, ...acknowledgeLinksOf(context)];
}

/** Returns one link, or none if there is nothing to acknowledge. */
export function acknowledgeLinksOf({ acknowledgeUrl: url }: AlertContext): readonly NamedLink[] {
  return url === undefined ? [] : [{ title: "Acknowledge", url }];
}

import type { AlertContext } from "../channel.ts";
import { pageUrlOf } from "../format/alert-text.ts";

export interface NamedLink {
  readonly title: string;
  readonly url: string;
}

/** What a person may open, for receivers that have buttons: the check, and where its outage is acknowledged. */
export function linksOf(context: AlertContext): readonly [NamedLink, ...NamedLink[]] {
  return [{ title: "Watchpost", url: pageUrlOf(context) }, ...acknowledgeLinksOf(context)];
}

/** One, or none where there is nothing to acknowledge. */
export function acknowledgeLinksOf({ acknowledgeUrl: url }: AlertContext): readonly NamedLink[] {
  return url === undefined ? [] : [{ title: "Acknowledge", url }];
}

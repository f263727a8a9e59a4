import type { ReactElement } from "react";

import { useSession } from "../../shell/session.ts";
import { useLocale, useText } from "../../text.ts";
import { zoneOf } from "./zone.ts";

/** An instant in the reader's zone, with that of the account on hover. */
export function Instant({ at }: { readonly at: number }): ReactElement {
  const text = useText();
  const locale = useLocale();
  const { timezone, timezonename } = useSession();
  const zone = zoneOf(timezone, timezonename);
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  const there = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }).format(at);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={text("common.accountTime", { time: there, zone })}
    >
      {new Intl.DateTimeFormat(locale, options).format(at)}
    </time>
  );
}

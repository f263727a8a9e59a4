import type { ReactElement } from "react";

import { useSession } from "../../shell/session.ts";
import { useLocale, useText } from "../../text.ts";
import { zoneOf } from "./zone.ts";

interface Props {
  readonly at: number;
  /** Whether it is shown among times of the account. */
  readonly isOfAccount?: boolean;
}

/** An instant in the reader's zone, or in that of the account, which is named on hover. */
export function Instant({ at, isOfAccount = false }: Props): ReactElement {
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
      {isOfAccount ? there : new Intl.DateTimeFormat(locale, options).format(at)}
    </time>
  );
}

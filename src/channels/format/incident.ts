import type { AlertContext } from "../channel.ts";
import { outageKeyOf } from "./outage-key.ts";

/** The incident of an alert, for services that keep one open until it is resolved. */
export interface Incident {
  /** At most 255 characters. */
  readonly key: string;
  readonly isOver: boolean;
}

/** A first result that is up resolves an incident that was never opened: services accept that. */
export function incidentOf({ alert: { notice } }: AlertContext): Incident {
  return {
    key: outageKeyOf(notice) ?? `${notice.check.id}-${notice.since}`,
    isOver: notice.state === "passing",
  };
}

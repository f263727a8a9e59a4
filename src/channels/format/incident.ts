import type { AlertContext } from "../channel.ts";
import { outageKeyOf } from "./outage-key.ts";

/** An alert as services see it that keep incidents open until they hear of their end. */
export interface Incident {
  /** At most 255 characters. */
  readonly key: string;
  readonly isOver: boolean;
}

/** A first result that is up closes what nobody opened: services take that, and the address is known to work. */
export function incidentOf({ alert: { notice } }: AlertContext): Incident {
  return {
    key: outageKeyOf(notice) ?? `${notice.check.id}-${notice.since}`,
    isOver: notice.state === "passing",
  };
}

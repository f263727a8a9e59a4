import type { AlertContext } from "../channel.ts";
import { outageKeyOf } from "./outage-key.ts";

/** The incident of an alert, for services that keep one open until it is resolved. */
export interface ServiceIncident {
  /** At most 255 characters. */
  readonly key: string;
  readonly isOver: boolean;
  /** Effect of the alert on the incident. */
  readonly step: "begin" | "acknowledge" | "end";
}

/** A first result that is up resolves an incident that was never opened: services accept that. An outage that is told of after its end begins one. */
export function incidentOf({ alert: { notice }, kind }: AlertContext): ServiceIncident {
  const isOver = notice.state === "passing" && kind !== "missed";
  const goesOn = kind === "acknowledged" ? "acknowledge" : "begin";
  return {
    key: outageKeyOf(notice) ?? `${notice.check.id}-${notice.since}`,
    isOver,
    step: isOver ? "end" : goesOn,
  };
}

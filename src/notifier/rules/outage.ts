import type { Address } from "../../domain/contact/contact.ts";
import { runStage, type StageResult } from "./run-stage.ts";
import type { AlertWithAddress } from "./recipient.ts";
import type { AlertWithCheck } from "./check.ts";

export interface OutageContext {
  /** Whether an address is that of a service that keeps an incident open until its Up, and reminds of it in its own way. */
  readonly resolvesIncidents: (address: Address) => boolean;
  /** Whether the address's service can show an acknowledgement of the incident. */
  readonly acknowledgesIncidents: (address: Address) => boolean;
}

/** Drops alerts that are useful only during the outage, at every attempt: reminders after it ended or was acknowledged, and withdrawn acknowledgements. */
export function requireOutage<Item extends AlertWithAddress & AlertWithCheck>(
  items: readonly Item[],
  { resolvesIncidents, acknowledgesIncidents }: OutageContext,
): Promise<StageResult<Item>> {
  return runStage(items, (item) => {
    const { alert, address, state } = item;
    if (alert.kind !== "reminder" && alert.kind !== "acknowledged") return item;
    if (state.outage !== alert.outage) return "recovered";
    const isAcknowledged = state.acknowledgement !== undefined;
    if (alert.kind === "acknowledged") {
      if (!isAcknowledged) return "outdated";
      return resolvesIncidents(address) && !acknowledgesIncidents(address)
        ? "incident_service"
        : item;
    }
    if (isAcknowledged) return "acknowledged";
    return resolvesIncidents(address) ? "incident_service" : item;
  });
}

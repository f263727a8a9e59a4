import type { Alert } from "../../domain/alert/alert.ts";
import type { Address } from "../../domain/contact/contact.ts";
import { runStage, type StageResult } from "./run-stage.ts";
import type { Reads } from "../../store/store.ts";

export interface AlertWithAddress {
  readonly alert: Alert;
  readonly address: Address;
}

/** Finds the address as it is now; drops alerts to a contact or an address that was deleted, or to an address that is disabled. */
export function findRecipients(
  alerts: readonly Alert[],
  { contacts }: { readonly contacts: Pick<Reads["contacts"], "findAddress"> },
): Promise<StageResult<AlertWithAddress>> {
  return runStage(
    alerts.map((alert) => ({ alert })),
    async ({ alert }) => {
      const address = await contacts.findAddress(alert.accountId, alert);
      if (address === undefined) return "recipient_gone";
      return address.status === "disabled" ? "address_disabled" : { alert, address };
    },
  );
}

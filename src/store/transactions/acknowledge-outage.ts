import type { Acknowledgement } from "../../domain/alert/acknowledgement.ts";
import { alertsOnAcknowledgement } from "../../domain/alert/alert.ts";
import type { Check } from "../../domain/check.ts";
import type { AddressRef } from "../../domain/contact/recipients.ts";
import type { Transaction } from "../store.ts";

interface Acknowledged {
  readonly check: Pick<Check, "no" | "accountId">;
  /** The outage that it was read of; undefined for the present one. */
  readonly outage?: string;
  readonly acknowledgement: Acknowledgement;
  /** The address through which it was acknowledged, which needs no message about it. */
  readonly from?: AddressRef;
}

/** Acknowledges an outage: stops reminders and alerts the recipients of the Down. False if the outage is over. */
export async function acknowledgeOutage(
  tx: Transaction,
  { check, acknowledgement, from, ...of }: Acknowledged,
  ids: { alert: () => string },
): Promise<boolean> {
  const present = await tx.states.get(check.no);
  const { outage = present.outage } = of;
  if (outage === undefined) return false;
  if (!(await tx.states.acknowledge(check.no, outage, acknowledgement))) return false;
  const { at } = acknowledgement;
  await tx.alerts.stopEscalation(outage, at);
  const notice = await tx.alerts.findNotice(outage);
  if (notice === undefined) return true;
  const number = (await tx.alerts.countAcknowledgements(outage)) + 1;
  const earlier = await tx.alerts.listByOutage(outage);
  const common = {
    flipId: outage,
    outage,
    accountId: check.accountId,
    checkNo: check.no,
    createdAt: at,
    notice: { ...notice, acknowledgement },
  };
  const notices = alertsOnAcknowledgement(earlier, { at, number }).filter(
    ({ contactId, addressId }) => contactId !== from?.contactId || addressId !== from.addressId,
  );
  await tx.alerts.insert(...notices.map((alert) => ({ ...alert, ...common, id: ids.alert() })));
  return true;
}

/** Withdraws the acknowledgement: reminders and later alerts continue. False if the outage is over or not acknowledged. */
export async function withdrawAcknowledgement(
  tx: Transaction,
  { no }: Pick<Check, "no">,
  at: number,
): Promise<boolean> {
  const { outage, acknowledgement } = await tx.states.get(no);
  if (outage === undefined || acknowledgement === undefined) return false;
  await tx.states.acknowledge(no, outage, undefined);
  await tx.alerts.resumeEscalation(outage, at);
  return true;
}

import { z } from "zod";

import { alertKinds } from "../../../domain/alert.ts";
import type { Notification } from "../../../store/alerts.ts";
import type { DeliveryReads } from "../../../store/deliveries.ts";

/** So many are told with each of their attempts: six hours of them are some thirty. */
export const maxDetailed = 300;

/** What a notification has beside its usual members where `detail` is asked for. */
const detail = {
  contact_id: z.string().optional().describe("The contact that was to be told"),
  address_id: z.string().optional().describe("Its address"),
  created: z.int().optional().describe("When the check changed, in ms since 1970"),
  due: z.int().optional().describe("When it was to go out, after its delay"),
  next: z.int().optional().describe("While it waits: when it is tried next"),
  attempts: z.int().optional().describe("How often it was begun"),
  bundle: z
    .string()
    .optional()
    .describe("The message that told it; those with the same one went out together"),
  deliveries: z
    .array(
      z.object({
        attempt: z.int(),
        start: z.int(),
        end: z.int(),
        accepted: z.boolean(),
        response: z.string().describe("What the receiver, or the way to it, said"),
      }),
    )
    .optional()
    .describe("Each attempt, the first one first"),
};

export const notificationResponse = z
  .object({
    _id: z.string(),
    jobid: z.string().describe("The check's id"),
    customer_id: z.string(),
    to: z.string(),
    from: z.string(),
    subject: z.string(),
    body: z.string(),
    network: z.string().describe("The type of the address"),
    type: z.enum(alertKinds),
    at: z.int().describe("When its last attempt ended, in ms since 1970"),
    rhp: z.string(),
    status: z.enum(["waiting", "delivered", "failed", "dropped"]),
    reason: z.string().optional(),
    ...detail,
  })
  .meta({ id: "Notification" });

type Detail = z.infer<z.ZodObject<typeof detail>>;

export function notificationToWire({
  checkId,
  alertId,
  accountId,
  to,
  from,
  subject,
  body,
  network,
  kind,
  at,
  status,
  reason,
}: Notification): z.infer<typeof notificationResponse> {
  return {
    _id: `${checkId}-${alertId}`,
    jobid: checkId,
    customer_id: accountId,
    to,
    from,
    subject,
    body,
    network,
    type: kind,
    at,
    rhp: "",
    status,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Reads the attempts at what was found in these accounts. */
export async function loadDetails(
  deliveries: DeliveryReads,
  {
    accountIds,
    found,
  }: { readonly accountIds: readonly string[]; readonly found: readonly Notification[] },
): Promise<(notification: Notification) => Detail> {
  const made = await deliveries.list(
    accountIds,
    found.map(({ alertId }) => alertId),
  );
  const ofAlert = Map.groupBy(made, ({ alertId }) => alertId);
  return ({
    alertId,
    contactId,
    addressId,
    createdAt,
    dueAt,
    nextAttemptAt,
    attempts,
    bundle,
  }) => ({
    contact_id: contactId,
    address_id: addressId,
    created: createdAt,
    due: dueAt,
    ...(nextAttemptAt !== undefined && { next: nextAttemptAt }),
    attempts,
    ...(bundle !== undefined && { bundle }),
    deliveries: (ofAlert.get(alertId) ?? []).map(
      ({ attempt, startedAt, endedAt, accepted, response }) => ({
        attempt,
        start: startedAt,
        end: endedAt,
        accepted,
        response,
      }),
    ),
  });
}

import { z } from "zod";

import { alertKinds, alertStatuses, type AlertStatus } from "../../../domain/alert/alert.ts";
import { settingsIn } from "../../../channels/service-settings.ts";
import { channelOf, type Channels } from "../../../channels/registry.ts";
import type { Redaction } from "../../../redaction/redaction.ts";
import { reasonInWords } from "./reasons.ts";
import type { Notification } from "../../../store/alerts.ts";
import type { DeliveryReads } from "../../../store/deliveries.ts";

/** The limit of a list with details: each alert can have some thirty attempts. */
export const maxDetailed = 300;

/** The members that `detail` adds to a notification. */
const detail = {
  contact_id: z.string().optional().describe("The contact of the address"),
  address_id: z.string().optional().describe("The address"),
  created: z.int().optional().describe("When the check changed, in ms since 1970"),
  due: z.int().optional().describe("When it was due, after its delay"),
  next: z.int().optional().describe("The time of the next attempt, while it waits"),
  attempts: z.int().optional().describe("The number of attempts"),
  bundle: z
    .string()
    .optional()
    .describe("The message that contained it; alerts with the same one were sent together"),
  deliveries: z
    .array(
      z.object({
        attempt: z.int(),
        start: z.int(),
        end: z.int(),
        accepted: z.boolean(),
        response: z
          .string()
          .describe("The response of the receiver, or the error on the way to it"),
      }),
    )
    .optional()
    .describe("Every attempt, the oldest first"),
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
    service: z
      .string()
      .optional()
      .describe("Of a webhook: the service that it leads to, where it is a known one"),
    type: z.enum(alertKinds),
    at: z.int().describe("When its last attempt ended, in ms since 1970"),
    rhp: z.string(),
    status: z.enum(alertStatuses),
    reason: z.string().optional(),
    reasontext: z
      .string()
      .optional()
      .describe("The reason in words, why it was dropped, is held, or waits for so long"),
    ...detail,
  })
  .meta({ id: "Notification" });

type Detail = z.infer<z.ZodObject<typeof detail>>;

/** How much of a notification its reader is shown. */
interface Shown {
  readonly redaction: Redaction;
  readonly channels: Channels;
}

export function notificationToWire(
  {
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
  }: Notification,
  { redaction, channels }: Shown,
): z.infer<typeof notificationResponse> {
  const channel = channelOf(channels, network);
  return {
    _id: `${checkId}-${alertId}`,
    jobid: checkId,
    customer_id: accountId,
    to: redaction.address(to, channel),
    from,
    subject,
    body: redaction.message(body, channel),
    network,
    ...serviceOf(network, to),
    type: kind,
    at,
    rhp: "",
    status,
    ...(reason === undefined
      ? {}
      : reasonToWire({ status, reason }, (text) => redaction.response(text, channel))),
  };
}

function serviceOf(network: string, to: string): { readonly service?: string } {
  const leadsTo = network === "webhook" ? settingsIn(to) : undefined;
  return leadsTo === undefined ? {} : { service: leadsTo.service };
}

function reasonToWire(
  { status, reason }: { readonly status: AlertStatus; readonly reason: string },
  shown: (response: string) => string,
): { readonly reason: string; readonly reasontext?: string } {
  const reasontext = reasonInWords(status, reason);
  return reasontext === undefined ? { reason: shown(reason) } : { reason, reasontext };
}

/** Loads the delivery attempts of notifications. */
export async function loadDetails(
  deliveries: DeliveryReads,
  {
    accountIds,
    found,
    shown: { redaction, channels },
  }: {
    readonly accountIds: readonly string[];
    readonly found: readonly Notification[];
    readonly shown: Shown;
  },
): Promise<(notification: Notification) => Detail> {
  const deliveryAttempts = await deliveries.list(
    accountIds,
    found.map(({ alertId }) => alertId),
  );
  const ofAlert = Map.groupBy(deliveryAttempts, ({ alertId }) => alertId);
  return ({
    alertId,
    contactId,
    addressId,
    createdAt,
    dueAt,
    nextAttemptAt,
    attempts,
    bundle,
    network,
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
        response: redaction.response(response, channelOf(channels, network)),
      }),
    ),
  });
}

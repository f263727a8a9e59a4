import { z } from "zod";

import type { Channels } from "../../../channels/registry.ts";
import { includesAccess, type Access } from "../../../domain/account/access.ts";
import { subscriberKinds, type Subscriber } from "../../../domain/status/subscriber.ts";
import { warning } from "../responses.ts";

export const subscriberResponse = z
  .object({
    _id: z.string(),
    type: z.literal("subscriber"),
    customer_id: z.string(),
    page: z.string().describe("The id of the status page"),
    kind: z.enum(subscriberKinds),
    address: z
      .string()
      .describe("The mailbox or URL, which only owners are shown; others its host alone"),
    state: z.enum(["pending", "confirmed"]).describe("pending until the owner of a mailbox agrees"),
    secret: z
      .string()
      .optional()
      .describe("What requests to a webhook are signed with; shown to owners"),
    created: z.int().describe("ms since 1970"),
    confirmed: z.int().optional().describe("ms since 1970"),
    warning,
  })
  .meta({ id: "Subscriber" });

export const subscribersResponse = z
  .object({
    pending: z.int(),
    confirmed: z.int().describe("Webhooks included"),
    webhooks: z.int(),
    subscribers: z.array(subscriberResponse).describe("The oldest first"),
    warning,
  })
  .meta({ id: "Subscribers" });

/** What a caller is shown of a subscriber: addresses are personal, and URLs may hold credentials. */
export function toWire(
  subscriber: Subscriber,
  { access, webhooks }: { readonly access: Access; readonly webhooks: Channels["webhook"] },
): z.infer<typeof subscriberResponse> {
  const { id, accountId, pageId, kind, address = "", state, createdAt, confirmedAt } = subscriber;
  const isOwner = includesAccess(access, "owner");
  const secret = kind === "webhook" && isOwner ? webhooks.signingSecretOf?.({ id }) : undefined;
  return {
    _id: id,
    type: "subscriber",
    customer_id: accountId,
    page: pageId,
    kind,
    address: isOwner ? address : hostIn(address),
    state: state === "confirmed" ? "confirmed" : "pending",
    ...(secret !== undefined && { secret }),
    created: createdAt,
    ...(confirmedAt !== undefined && { confirmed: confirmedAt }),
  };
}

function hostIn(address: string): string {
  const host = URL.parse(address)?.host;
  return host === undefined || host === "" ? `…@${address.split("@").at(-1) ?? ""}` : host;
}

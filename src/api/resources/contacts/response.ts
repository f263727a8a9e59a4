import { z } from "zod";

import { addressKinds, channelOf, type Channels } from "../../../channels/registry.ts";
import { serviceNames, serviceOf } from "../../../channels/service-settings.ts";
import type { Access } from "../../../domain/account/access.ts";
import type { Account } from "../../../domain/account/account.ts";
import type { Confirmations } from "../../confirmations.ts";
import {
  addressStatuses,
  contactRoles,
  isMailbox,
  type Address,
  type Contact,
} from "../../../domain/contact/contact.ts";
import { redactionFor } from "../../../redaction/redaction.ts";
import { warning } from "../responses.ts";

const suppressed = z.literal(true).optional().describe("Missing if false");
const texts = z.record(z.string(), z.string()).optional();

const addressAnswer = z
  .object({
    address: z.string(),
    type: z.enum(addressKinds),
    status: z
      .enum(addressStatuses)
      .describe(
        "`refused`: the last alert was refused, and the next one is tried again; `disabled`: the receiver refuses the address for good, and nothing more is sent to it",
      ),
    refusal: z
      .object({
        at: z.int().describe("In ms since 1970"),
        reason: z.string().describe("The response of the receiver"),
      })
      .optional()
      .describe("When and why it was refused; missing if the status is `new`"),
    accountsuppressall: z.boolean().describe("Whether the account suppresses all alerts"),
    suppressup: suppressed,
    suppressdown: suppressed,
    suppressfirst: suppressed,
    suppressdiag: suppressed,
    suppressall: suppressed,
    mute: z
      .union([z.literal(true), z.int()])
      .optional()
      .describe("A number is the end of the mute, in ms since 1970; missing if false"),
    action: z.string().optional().describe("As it was sent; `post` if missing"),
    headers: texts,
    querystrings: texts,
    data: z
      .union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .optional()
      .describe("As it was sent"),
    priority: z.int().optional(),
    confirmed: z
      .boolean()
      .optional()
      .describe(
        "Of a mailbox, where `WATCHPOST_CONFIRM_ADDRESSES` is on: whether its owner has agreed to alerts; none are sent there before",
      ),
    service: z
      .enum(serviceNames)
      .optional()
      .describe("Of a webhook: the service that it leads to, where it is a known one"),
    settings: z
      .record(z.string(), z.string().nullable())
      .optional()
      .describe(
        "The values of the service in the address; null for a credential. Missing where the address has another form than those of the settings",
      ),
    secret: z.string().optional().describe("Of a webhook: the secret that verifies its signatures"),
  })
  .meta({ id: "Address" });

/** A contact in the response to a GET. */
export const contactResponse = z
  .object({
    _id: z.string(),
    type: z.literal("contact"),
    customer_id: z.string(),
    name: z.string(),
    custrole: z.enum(contactRoles),
    addresses: z
      .record(z.string(), addressAnswer)
      .optional()
      .describe("By id; missing if there are none"),
    warning,
  })
  .meta({ id: "Contact" });

/** A contact in the response to a write. */
export const writtenContactResponse = contactResponse
  .extend({
    sdomain: z.string().describe("The host name of this installation"),
  })
  .meta({ id: "WrittenContact" });

interface WireDeps {
  readonly channels: Channels;
  readonly confirmations: Pick<Confirmations, "required">;
  readonly access: Access;
}

export function toResponse(
  { id, accountId, name, role, addresses }: Contact,
  account: Pick<Account, "suppressAll">,
  deps: WireDeps,
): object {
  return {
    _id: id,
    type: "contact",
    customer_id: accountId,
    name,
    custrole: role,
    ...(addresses.length === 0
      ? {}
      : {
          addresses: Object.fromEntries(
            addresses.map((address) => [address.id, addressToWire(address, account, deps)]),
          ),
        }),
  };
}

function addressToWire(
  { id, address, kind, status, refusal, suppress, mute, confirmed, request, priority }: Address,
  account: Pick<Account, "suppressAll">,
  { channels, confirmations, access }: WireDeps,
): object {
  const channel = channelOf(channels, kind);
  const redaction = redactionFor(access);
  const called = serviceOf({ kind, address });
  return {
    address: redaction.address(address, channel),
    type: kind,
    status,
    refusal: refusal && { ...refusal, reason: redaction.response(refusal.reason, channel) },
    accountsuppressall: account.suppressAll ?? false,
    ...(suppress.up && { suppressup: true }),
    ...(suppress.down && { suppressdown: true }),
    ...(suppress.first && { suppressfirst: true }),
    ...(suppress.diagnostics && { suppressdiag: true }),
    ...(suppress.all && { suppressall: true }),
    ...(mute !== false && { mute }),
    ...(redaction.showsSettings && request),
    priority,
    ...(confirmations.required && isMailbox({ kind }) && { confirmed }),
    service: called?.service,
    ...(redaction.showsSettings && { settings: called?.settings }),
    secret: redaction.showsSettings ? channel.signingSecretOf?.({ id }) : undefined,
  };
}

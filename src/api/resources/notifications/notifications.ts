import { z } from "zod";

import { addressKinds, channelOf, type Channels } from "../../../channels/registry.ts";
import { serviceOf } from "../../../channels/service-settings.ts";
import { type Redaction, redactionFor } from "../../../redaction/redaction.ts";
import type { Reads } from "../../../store/store.ts";
import type { ResourceDeps } from "../../deps.ts";
import { streamArray } from "../../http/responses/json-stream.ts";
import { alertKinds, type AlertStatus, alertStatuses } from "../../../domain/alert/alert.ts";
import { customerid, id, maxIdLength } from "../identifiers.ts";
import { instant, instantOrNow } from "../instants.ts";
import { choice, flag, text } from "../../../schema/scalars.ts";
import { operation, type Resource } from "../../operation.ts";
import { limit, resolveLimit, span, spanStart } from "../../../schema/time-span.ts";
import type { Notification } from "../../../store/tables/alerts.ts";
import { reasonInWords } from "./reasons.ts";

/** The limit of a list with details: each alert can have some thirty attempts. */
const maxDetailed = 300;

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

const notificationResponse = z
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

/** The id of a check and of an alert. */
const maxAfterLength = 2 * maxIdLength;

const input = z.object({
  id: id.describe("The id of a check; all checks if missing"),
  customerid,
  span: span.describe("How many hours back from now"),
  limit: limit.describe("How many at most; 300 unless span is given"),
  start: instant.describe("The earliest `at`"),
  end: instantOrNow.describe("The latest `at`"),
  contact: text(maxIdLength).describe("Only those to this contact, by its id"),
  network: choice(addressKinds).describe(
    "Only those to this type of address; what was never tried has none yet",
  ),
  type: choice(alertKinds).describe("Only those of this type"),
  status: choice(alertStatuses).describe(
    "Only those with this status; `waiting`, `held` and `dropped` need no `dropped`",
  ),
  after: text(maxAfterLength).describe(
    "Goes on with the list after this notification, by its `_id`",
  ),
  subaccounts: flag.describe("Includes alerts of subaccounts"),
  dropped: flag.describe(
    "Includes alerts that were not sent yet, or never will be: they wait, are held, or were dropped",
  ),
  detail: flag.describe(
    `Adds the address, the times and every delivery attempt to each alert; the list then has at most ${maxDetailed}`,
  ),
});

export function notifications({
  store,
  clock,
  channels,
}: Pick<ResourceDeps, "store" | "clock" | "channels">): Resource {
  return {
    name: "notifications",
    ids: "record",
    summary: "The alerts that were sent, and to whom",
    operations: {
      GET: operation({
        summary: "Lists the alerts of an account that were sent, newest first by `at`",
        needs: "view",
        effect: "read",
        input,
        response: z.array(notificationResponse),
        async handle(
          { id, span, limit, subaccounts = false, dropped = false, detail = false, ...filters },
          { account, access },
        ) {
          const shown = { redaction: redactionFor(access), channels };
          const toResponse = (each: Notification): object => notificationToWire(each, shown);
          const family = subaccounts ? await store.accounts.listWithSubaccounts(account.id) : [];
          const accountIds = subaccounts
            ? family.map((summary) => summary.account.id)
            : [account.id];
          const from = Math.max(
            span === undefined ? 0 : spanStart(span, clock.now()),
            filters.start ?? 0,
          );
          const most = resolveLimit(limit, span);
          const query = {
            accountIds,
            checkId: id,
            from,
            limit: most,
            dropped: dropped || filters.status !== undefined,
            to: filters.end,
            contactId: filters.contact,
            network: filters.network,
            kind: filters.type,
            status: filters.status,
            after: filters.after?.split("-").at(-1),
          };
          if (!detail)
            return streamArray(inPages(store.alerts.pageNotifications(query), toResponse));
          const found = await store.alerts.listNotifications({
            ...query,
            limit: Math.min(most, maxDetailed),
          });
          const detailOf = await loadDetails(store.deliveries, { accountIds, found, shown });
          return found.map((each) => ({ ...toResponse(each), ...detailOf(each) }));
        },
      }),
    },
  };
}

async function* inPages(
  pages: AsyncIterable<readonly Notification[]>,
  toResponse: (notification: Notification) => object,
): AsyncIterable<readonly object[]> {
  for await (const page of pages) yield page.map(toResponse);
}

type Detail = z.infer<z.ZodObject<typeof detail>>;

/** How much of a notification its reader is shown. */
interface Shown {
  readonly redaction: Redaction;
  readonly channels: Channels;
}

function notificationToWire(
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
    service: serviceOf({ kind: network, address: to })?.service,
    type: kind,
    at,
    rhp: "",
    status,
    ...(reason === undefined
      ? {}
      : reasonToWire({ status, reason }, (text) => redaction.response(text, channel))),
  };
}

function reasonToWire(
  { status, reason }: { readonly status: AlertStatus; readonly reason: string },
  shown: (response: string) => string,
): { readonly reason: string; readonly reasontext?: string } {
  const reasontext = reasonInWords(status, reason);
  return reasontext === undefined ? { reason: shown(reason) } : { reason, reasontext };
}

/** Loads the delivery attempts of notifications. */
async function loadDetails(
  deliveries: Reads["deliveries"],
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

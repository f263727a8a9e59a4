import { z } from "zod";

import { addressKinds } from "../../../channels/registry.ts";
import { redactionFor } from "../../../redaction/redaction.ts";
import type { Notification } from "../../../store/alerts.ts";
import type { ApiDeps } from "../../deps.ts";
import { streamArray } from "../../http/responses/json-stream.ts";
import { alertKinds, alertStatuses } from "../../../domain/alert/alert.ts";
import { customerid, id, longestId } from "../identifiers.ts";
import { instant, instantOrNow } from "../instants.ts";
import { choice, flag, text } from "../../../schema/scalars.ts";
import { loadDetails, maxDetailed, notificationResponse, notificationToWire } from "./response.ts";
import { operation, type Resource } from "../../operation.ts";
import { limit, resolveLimit, span, spanStart } from "../../../schema/time-span.ts";

/** The id of a check and of an alert. */
const longestAfter = 2 * longestId;

const input = z.object({
  id: id.describe("The id of a check; all checks if missing"),
  customerid,
  span: span.describe("How many hours back from now"),
  limit: limit.describe("How many at most; 300 unless span is given"),
  start: instant.describe("The earliest `at`"),
  end: instantOrNow.describe("The latest `at`"),
  contact: text(longestId).describe("Only those to this contact, by its id"),
  network: choice(addressKinds).describe(
    "Only those to this type of address; what was never tried has none yet",
  ),
  type: choice(alertKinds).describe("Only those of this type"),
  status: choice(alertStatuses).describe(
    "Only those with this status; `waiting`, `held` and `dropped` need no `dropped`",
  ),
  after: text(longestAfter).describe("Goes on with the list after this notification, by its `_id`"),
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
}: Pick<ApiDeps, "store" | "clock" | "channels">): Resource {
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
          const toWire = (each: Notification): object => notificationToWire(each, shown);
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
          if (!detail) return streamArray(inPages(store.alerts.pageNotifications(query), toWire));
          const found = await store.alerts.listNotifications({
            ...query,
            limit: Math.min(most, maxDetailed),
          });
          const detailOf = await loadDetails(store.deliveries, { accountIds, found, shown });
          return found.map((each) => ({ ...toWire(each), ...detailOf(each) }));
        },
      }),
    },
  };
}

async function* inPages(
  pages: AsyncIterable<readonly Notification[]>,
  toWire: (notification: Notification) => object,
): AsyncIterable<readonly object[]> {
  for await (const page of pages) yield page.map(toWire);
}

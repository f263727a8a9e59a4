import { z } from "zod";

import type { ApiDeps } from "../../deps.ts";
import { customerid, flag, id } from "../../../schema/field.ts";
import { loadDetails, maxDetailed, notificationResponse, notificationToWire } from "./response.ts";
import { operation } from "../../operation.ts";
import type { Resource } from "../../operation.ts";
import { limit, resolveLimit, span, spanStart } from "../../../schema/time-span.ts";

export function notifications({ store, clock }: Pick<ApiDeps, "store" | "clock">): Resource {
  return {
    name: "notifications",
    ids: "record",
    summary: "Who was told what",
    operations: {
      GET: operation({
        summary: "Lists what was sent, newest first",
        input: z.object({
          id: id.describe("The check it is about; all checks unless given"),
          customerid,
          span: span.describe("So many hours back from now"),
          limit: limit.describe("At most so many; 300 unless span is given"),
          subaccounts: flag.describe("What went to subaccounts too"),
          dropped: flag.describe("What was decided not to be sent too"),
          detail: flag.describe(
            `Each with its address, what is planned, and every attempt with what the receiver said; at most ${maxDetailed} then`,
          ),
        }),
        response: z.array(notificationResponse),
        async handle(
          { id, span, limit, subaccounts = false, dropped = false, detail = false },
          { account },
        ) {
          const family = subaccounts ? await store.accounts.listWithSubaccounts(account.id) : [];
          const accountIds = subaccounts
            ? family.map((summary) => summary.account.id)
            : [account.id];
          const found = await store.alerts.listNotifications({
            accountIds,
            checkId: id,
            from: span === undefined ? 0 : spanStart(span, clock.now()),
            limit: Math.min(resolveLimit(limit, span), detail ? maxDetailed : Infinity),
            dropped,
          });
          const detailOf = detail
            ? await loadDetails(store.deliveries, { accountIds, found })
            : () => ({});
          return found.map((each) => ({ ...notificationToWire(each), ...detailOf(each) }));
        },
      }),
    },
  };
}

import { z } from "zod";

import type { Notification } from "../../store/alerts.ts";
import type { ApiDeps } from "../deps.ts";
import { flag, id } from "../fields.ts";
import { operation } from "../operation.ts";
import type { Resource } from "../operation.ts";
import { limit, limitOf, span, spanStart } from "../span.ts";

export function notifications({ store, clock }: Pick<ApiDeps, "store" | "clock">): Resource {
  return {
    name: "notifications",
    ids: "record",
    operations: {
      GET: operation({
        input: z.object({ id, customerid: id, span, limit, subaccounts: flag, dropped: flag }),
        async handle({ id, span, limit, subaccounts = false, dropped = false }, { account }) {
          const family = subaccounts ? await store.accounts.family(account.id) : [];
          const found = await store.alerts.notifications({
            accountIds: subaccounts ? family.map((summary) => summary.account.id) : [account.id],
            checkId: id,
            from: span === undefined ? 0 : spanStart(span, clock.now()),
            limit: limitOf(limit, span),
            dropped,
          });
          return found.map(toWire);
        },
      }),
    },
  };
}

function toWire({
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
}: Notification): object {
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

import { z } from "zod";

import { alertKinds } from "../../domain/alert.ts";
import type { Notification } from "../../store/alerts.ts";
import type { ApiDeps } from "../deps.ts";
import { customerid, flag, id } from "../fields.ts";
import { operation } from "../operation.ts";
import type { Resource } from "../operation.ts";
import { limit, limitOf, span, spanStart } from "../span.ts";

const notificationAnswer = z
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
  })
  .meta({ id: "Notification" });

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
        }),
        answer: z.array(notificationAnswer),
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
}: Notification): z.infer<typeof notificationAnswer> {
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

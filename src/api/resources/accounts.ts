import { z } from "zod";

import type { Account } from "../../domain/account.ts";
import type { AccountSummary } from "../../store/accounts.ts";
import type { ApiDeps } from "../deps.ts";
import { id } from "../fields.ts";
import { operation } from "../operation.ts";
import type { Resource } from "../operation.ts";

export function accounts({ store, clock }: Pick<ApiDeps, "store" | "clock">): Resource {
  return {
    name: "accounts",
    ids: "account",
    operations: {
      GET: operation({
        input: z.object({ id, customerid: id }),
        async handle({ customerid }, { caller, account }) {
          if (customerid !== undefined) return toWire(account, clock.now());
          const [own, ...subaccounts] = await store.accounts.family(caller.id);
          return Object.fromEntries([
            ...(own === undefined
              ? []
              : [[own.account.id, { parent: subaccounts.length, ...toListed(own) }]]),
            ...subaccounts.map((summary) => [summary.account.id, toListed(summary)]),
          ]);
        },
      }),
    },
  };
}

const statusWords = { active: "Active", suspended: "Suspend" } as const satisfies Record<
  Account["status"],
  string
>;

function toListed({ account, activeChecks }: AccountSummary): object {
  return { name: account.name, status: statusWords[account.status], count: activeChecks };
}

function toWire(account: Account, now: number): object {
  const {
    id,
    parentId,
    name,
    createdAt,
    status,
    offsetHours,
    defaultRegions,
    wantsNews,
    suppressAll,
  } = account;
  return {
    _id: id,
    type: "customer",
    ...(parentId === undefined ? {} : { parent: parentId }),
    customer_name: name,
    creation_date: createdAt,
    status: statusWords[status],
    timezone: Number.isInteger(offsetHours) ? offsetHours.toFixed(1) : String(offsetHours),
    nextBillingDate: firstOfNextMonth(now),
    defaultlocations: defaultRegions,
    emailme: wantsNews,
    ...(suppressAll ? { accountsuppressall: true } : {}),
  };
}

function firstOfNextMonth(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
    .toISOString()
    .slice(0, 10);
}

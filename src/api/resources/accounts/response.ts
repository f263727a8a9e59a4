import { z } from "zod";

import type { Account, AccountStatus } from "../../../domain/account/account.ts";
import { byKind } from "../../../domain/account/limits.ts";
import type { Scope } from "../../http/auth.ts";
import { compatibilityOf } from "../../http/compatibility.ts";
import { warning } from "../responses.ts";
import type { AccountSummary } from "../../../store/accounts.ts";
import { nameOf, offsetText } from "../../../schema/time-zone.ts";

const statusWords = {
  active: "Active",
  suspended: "Suspend",
  deleted: "Delete",
} as const satisfies Record<AccountStatus, string>;

const limit = z.object({
  used: z.int(),
  limit: z.int().describe("0 is no limit"),
});

const limits = z
  .object({
    ...byKind(() => limit),
    configuration: limit.describe("In bytes"),
    evidence: limit.describe("In bytes; the oldest gives way to new"),
  })
  .optional()
  .describe("On the token's own account: what it keeps and may keep, its subaccounts included");

const status = z
  .enum(Object.values(statusWords))
  .describe(
    "`Suspend` runs no checks and sends nothing; `Delete` is on its way out and can only be read",
  );

export const accountResponse = z
  .object({
    _id: z.string(),
    type: z.literal("customer"),
    parent: z.string().optional().describe("The account whose subaccount it is"),
    customer_name: z.string(),
    creation_date: z.int().describe("ms since 1970"),
    status,
    timezone: z.string().describe("Hours ahead of GMT now, such as `-7.0` or `5.75`"),
    timezonename: z
      .string()
      .optional()
      .describe("The IANA name of its time zone, if one was given, such as `Europe/Berlin`"),
    nextBillingDate: z.iso.date().describe("The first of next month; nothing is billed"),
    defaultlocations: z
      .array(z.string())
      .min(1)
      .describe("The regions of checks that name none of their own"),
    emailme: z.boolean(),
    accountsuppressall: z.boolean().optional().describe("Missing until it is first set"),
    autodiagnotifications: z.boolean(),
    recheckwait: z
      .int()
      .describe("Seconds between two rechecks of checks that have no `recheckwait` of their own"),
    defaultnotifications: z
      .array(z.record(z.string(), z.unknown()))
      .describe("Who is alerted of checks that name nobody"),
    warning,
  })
  .meta({ id: "Account" });

export const listedAccountResponse = z
  .object({
    parent: z.int().optional().describe("On the token's own account: how many subaccounts it has"),
    name: z.string(),
    status,
    count: z.int().describe("How many of its checks are active"),
    limits,
  })
  .meta({ id: "ListedAccount" });

export function accountToWire(
  account: Account,
  { now, compatibility }: { readonly now: number } & Pick<Scope, "compatibility">,
): z.infer<typeof accountResponse> {
  const { id, parentId, timeZone } = account;
  const timezonename = nameOf(timeZone);
  return {
    _id: id,
    type: "customer",
    ...(parentId === undefined ? {} : { parent: parentId }),
    customer_name: account.name,
    creation_date: account.createdAt,
    status: statusWords[account.status],
    timezone: offsetText(timeZone, now),
    ...(timezonename === undefined ? {} : { timezonename }),
    nextBillingDate: firstOfNextMonth(now),
    defaultlocations: [...account.defaultRegions],
    emailme: account.wantsNews,
    ...(account.suppressAll !== undefined && { accountsuppressall: account.suppressAll }),
    autodiagnotifications: account.autoDiagnostics,
    recheckwait: account.recheckWait,
    defaultnotifications: [
      ...compatibilityOf(compatibility).shownRecipients(account.defaultNotifications),
    ],
  };
}

export function listedToWire({
  account,
  activeChecks,
}: AccountSummary): z.infer<typeof listedAccountResponse> {
  return { name: account.name, status: statusWords[account.status], count: activeChecks };
}

function firstOfNextMonth(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
    .toISOString()
    .slice(0, 10);
}

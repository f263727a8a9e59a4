import { byKind } from "../../../domain/account/limits.ts";
import { nameOf, offsetText } from "../../../schema/time-zone.ts";
import type { Scope } from "../../http/auth.ts";
import { compatibilityOf } from "../../http/compatibility.ts";
import { welcomeOf } from "../../welcome.ts";
import { z } from "zod";

import {
  accountDefaults,
  type Account,
  type AccountStatus,
} from "../../../domain/account/account.ts";
import { subscriptionsOf } from "../../../domain/check.ts";
import { addressDefaults, type Contact } from "../../../domain/contact/contact.ts";
import { Forbidden, InvalidInput } from "../../../kit/errors.ts";
import {
  createAccount,
  defaultNotificationsFor,
} from "../../../store/transactions/create-account.ts";
import { finishSwitch } from "../../../store/transactions/finish-switch.ts";
import { rescheduleMaintenances } from "../../../store/transactions/advance-maintenance.ts";
import {
  assertRecipientsExist,
  mergeNotifications,
  recipientIds,
} from "../checks/subscriptions.ts";
import { currentAccount } from "./current-account.ts";
import { oneOrById, warning } from "../responses.ts";
import type { ResourceDeps } from "../../deps.ts";
import { customerid, id } from "../identifiers.ts";
import {
  accountFields,
  changedTimeZone,
  newAccountFields,
  sameAsCustomerid,
  statusOf,
  timeZoneOf,
} from "./input.ts";
import { required } from "../../../schema/field.ts";
import type { AccountSummary } from "../../../store/tables/accounts.ts";
import { operation, type Operation, type RecordedValues, type Resource } from "../../operation.ts";

type Deps = Pick<
  ResourceDeps,
  "store" | "clock" | "ids" | "passwords" | "confirmations" | "quota" | "mailLimits"
>;

export function accounts(deps: Deps): Resource {
  return {
    name: "accounts",
    ids: "account",
    summary: "The primary account and its subaccounts",
    recorded: async ({ accounts }, { accountId }) => {
      const account = await accounts.find(accountId);
      return account && recordedValuesOf(account);
    },
    operations: {
      GET: getAccounts(deps),
      POST: createSubaccount(deps),
      PUT: updateAccount(deps),
      DELETE: deleteSubaccount(deps),
    },
  };
}

function getAccounts({ store, clock, quota }: Deps): Operation {
  return operation({
    summary: "Returns one account, or the token's own and its subaccounts by id",
    needs: "view",
    effect: "read",
    input: z.object({
      id: sameAsCustomerid,
      customerid: id.describe("The id of the account; all if missing"),
    }),
    response: oneOrById(accountResponse, listedAccountResponse),
    allowsDeletedAccount: true,
    async handle({ customerid }, { caller, account, compatibility }) {
      if (customerid !== undefined)
        return accountToWire(account, { now: clock.now(), compatibility });
      const [own, ...subaccounts] = await store.accounts.listWithSubaccounts(caller.id);
      return Object.fromEntries([
        ...(own === undefined
          ? []
          : [
              [
                own.account.id,
                {
                  parent: subaccounts.length,
                  ...listedToWire(own),
                  limits: await quota.of(caller.id),
                },
              ],
            ]),
        ...subaccounts.map((summary) => [summary.account.id, listedToWire(summary)]),
      ]);
    },
  });
}

function createSubaccount(deps: Deps): Operation {
  const { clock, ids, confirmations } = deps;
  return operation({
    summary:
      "Creates a subaccount of the token's account, with a first contact and the default schedules",
    needs: "owner",
    effect: "write",
    input: z.object(newAccountFields),
    example: {
      name: "Example Ltd",
      contactname: "Ann",
      email: "ann@example.com",
      timezone: "1.0",
      location: ["eur"],
    },
    response: accountResponse,
    async handle(input, { caller, compatibility, about, actor, writeWithinLimits }) {
      if (caller.parentId !== undefined)
        throw new Forbidden("a subaccount cannot have subaccounts");
      const createdAt = clock.now();
      const id = ids.account(createdAt);
      about(id);
      const contact: Contact = {
        id: ids.contact(id),
        accountId: id,
        name: input.contactname,
        role: "edit",
        // Clients look this address up by the address itself.
        addresses: [
          {
            ...addressDefaults,
            kind: "email",
            id: input.email,
            address: input.email,
            confirmed: confirmations.isConfirmed({ kind: "email" }),
          },
        ],
      };
      const account: Account = {
        ...accountDefaults,
        id,
        parentId: caller.id,
        name: input.name,
        createdAt,
        timeZone: timeZoneOf(input.timezone),
        defaultRegions: input.location,
        wantsNews: input.emailme ?? accountDefaults.wantsNews,
        autoDiagnostics: input.autodiagnotifications ?? accountDefaults.autoDiagnostics,
        recheckWait: input.recheckwait ?? accountDefaults.recheckWait,
        defaultNotifications: defaultNotificationsFor(contact, compatibility),
      };
      const welcome = await welcomeOf(deps, { account, contact, actor });
      const said = await writeWithinLimits(caller, async (tx) => {
        await createAccount(tx, account, contact);
        const unasked = await confirmations.request(tx, { account, contact, before: [] });
        return [unasked, (await welcome?.(tx)) ?? ""].filter((part) => part !== "").join("; ");
      });
      return {
        ...accountToWire(account, { now: createdAt, compatibility }),
        ...(said === "" ? {} : { warning: said }),
      };
    },
  });
}

function updateAccount({ store, clock }: Deps): Operation {
  return operation({
    summary: "Changes an account; what is not sent stays",
    needs: "owner",
    effect: "write",
    input: z.object({
      id: sameAsCustomerid,
      customerid,
      ...accountFields,
    }),
    response: accountResponse,
    shownAs: { customer_name: "name", defaultlocations: "location" },
    async handle(input, call) {
      const { caller, account: written } = call;
      const { id } = written;
      const now = clock.now();
      const account = await call.writeWithinLimits(written, async (tx) => {
        const known = await currentAccount(tx.accounts, id);
        const status = input.status === undefined ? known.status : statusOf[input.status];
        // Clients send whole records back, with the status unchanged.
        if (status !== known.status && id === caller.id)
          throw new InvalidInput("status: can only be changed on a subaccount");
        const changed = {
          ...known,
          name: input.name ?? known.name,
          timeZone: changedTimeZone(known.timeZone, input.timezone, now),
          defaultRegions: input.location ?? known.defaultRegions,
          autoDiagnostics: input.autodiagnotifications ?? known.autoDiagnostics,
          recheckWait: input.recheckwait ?? known.recheckWait,
          wantsNews: input.emailme ?? known.wantsNews,
          status,
          defaultNotifications: mergeNotifications(
            known.defaultNotifications,
            input.defaultnotifications,
          ),
          suppressAll: input.accountsuppressall ?? input.accountsupressall ?? known.suppressAll,
        };
        await assertRecipientsExist(tx, id, {
          known: subscriptionsOf(known.defaultNotifications),
          wanted: subscriptionsOf(changed.defaultNotifications),
          parameter: "defaultnotifications",
          call,
        });
        await tx.accounts.update(changed, now);
        if (changed.timeZone !== known.timeZone) await rescheduleMaintenances(tx, changed, now);
        await tx.changes.record({ accountId: id, checkNo: undefined });
        return changed;
      });
      await finishSwitch({ checks: store.checks, write: call.write }, id);
      return accountToWire(account, { now, compatibility: call.compatibility });
    },
  });
}

function deleteSubaccount({ store, clock }: Deps): Operation {
  return operation({
    summary: "Deletes a subaccount; its data is purged in the background",
    needs: "owner",
    effect: "write",
    input: z.object({
      id: sameAsCustomerid,
      customerid: required(id).describe("The subaccount"),
    }),
    response: z.object({ success: z.literal("Records queued for deletion."), warning }),
    async handle(_, { caller, account: { id }, write }) {
      // guard: deletion of one's own account
      if (id === caller.id) throw new Forbidden("your own account cannot be deleted");
      await write(async (tx) => {
        await currentAccount(tx.accounts, id);
        await tx.accounts.remove(id, clock.now());
        await tx.changes.record({ accountId: id, checkNo: undefined });
      });
      await finishSwitch({ checks: store.checks, write }, id);
      return { success: "Records queued for deletion." };
    },
  });
}

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

const accountResponse = z
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

const listedAccountResponse = z
  .object({
    parent: z.int().optional().describe("On the token's own account: how many subaccounts it has"),
    name: z.string(),
    status,
    count: z.int().describe("How many of its checks are active"),
    limits,
  })
  .meta({ id: "ListedAccount" });

function accountToWire(
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

function listedToWire({
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

function recordedValuesOf(account: Account): RecordedValues {
  const { defaultNotifications } = account;
  return {
    kept: {
      name: account.name,
      timezone: account.timeZone,
      location: account.defaultRegions,
      autodiagnotifications: account.autoDiagnostics,
      recheckwait: account.recheckWait,
      emailme: account.wantsNews,
      status: account.status,
      accountsuppressall: account.suppressAll ?? false,
      defaultnotifications: recipientIds(subscriptionsOf(defaultNotifications)),
    },
    compared: { defaultnotifications: defaultNotifications },
  };
}

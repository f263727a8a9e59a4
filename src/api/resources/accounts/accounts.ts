import { welcomeOf } from "../../welcome.ts";
import { z } from "zod";

import { accountDefaults, type Account } from "../../../domain/account/account.ts";
import { subscriptionsOf } from "../../../domain/check.ts";
import { addressDefaults, type Contact } from "../../../domain/contact/contact.ts";
import { Forbidden, InvalidInput } from "../../../kit/errors.ts";
import {
  createAccount,
  defaultNotificationsFor,
} from "../../../store/transactions/create-account.ts";
import { finishSwitch } from "../../../store/transactions/finish-switch.ts";
import { rescheduleMaintenances } from "../../../store/transactions/advance-maintenance.ts";
import { accountResponse, accountToWire, listedAccountResponse, listedToWire } from "./response.ts";
import { assertRecipientsExist, mergeNotifications } from "../checks/subscriptions.ts";
import { currentAccount } from "./current-account.ts";
import { oneOrById, warning } from "../responses.ts";
import type { ApiDeps } from "../../deps.ts";
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
import { operation, type Operation, type Resource } from "../../operation.ts";

type Deps = Pick<
  ApiDeps,
  "store" | "clock" | "ids" | "passwords" | "confirmations" | "quota" | "mailLimits"
>;

export function accounts(deps: Deps): Resource {
  return {
    name: "accounts",
    ids: "account",
    summary: "The primary account and its subaccounts",
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
  const { quota, clock, ids, confirmations } = deps;
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
    async handle(input, { caller, compatibility, about, actor }) {
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
      const said = await quota.write(caller, async (tx) => {
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

function updateAccount({ store, quota, clock }: Deps): Operation {
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
      const account = await quota.write(written, async (tx) => {
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
      await finishSwitch(store, id);
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
    async handle(_, { caller, account: { id } }) {
      if (id === caller.id) throw new Forbidden("your own account cannot be deleted");
      await store.write(async (tx) => {
        await currentAccount(tx.accounts, id);
        await tx.accounts.remove(id, clock.now());
        await tx.changes.record({ accountId: id, checkNo: undefined });
      });
      await finishSwitch(store, id);
      return { success: "Records queued for deletion." };
    },
  });
}

import { z } from "zod";

import { parseMailbox } from "../../../channels/mail/mailbox.ts";
import { accountDefaults } from "../../../domain/account.ts";
import type { Account } from "../../../domain/account.ts";
import { addressDefaults } from "../../../domain/contact.ts";
import type { Contact } from "../../../domain/contact.ts";
import { regionCodes } from "../../../domain/location.ts";
import { Forbidden, InvalidInput } from "../../../kit/errors.ts";
import { createAccount } from "../../../store/units/create-account.ts";
import { rescheduleMaintenances } from "../../../store/units/advance-maintenance.ts";
import { accountResponse, accountToWire, listedAccountResponse, listedToWire } from "./response.ts";
import { currentAccount } from "./current-account.ts";
import type { ApiDeps } from "../../deps.ts";
import {
  choice,
  customerid,
  field,
  flag,
  id,
  parseList,
  required,
  text,
} from "../../../schema/fields.ts";
import { operation } from "../../operation.ts";
import type { Resource } from "../../operation.ts";
import { parseTimeZone } from "../../../schema/time-zone.ts";

const name = text(255).describe("What people call it");

/** Any value passes, for one that is no time zone is answered with a sentence of its own. */
const timezone = field({
  expected: "must be hours ahead of GMT",
  jsonSchema: { type: ["number", "string"], minimum: -12, maximum: 14 },
  parse: (value) => (typeof value === "string" || typeof value === "number" ? `${value}` : ""),
}).describe("Hours ahead of GMT in quarters, such as `-7`, `5.75` or `GMT+5.5`");

const location = field({
  expected: `must be one of ${regionCodes.join(", ")}, or a list of them`,
  jsonSchema: { type: ["string", "array"], items: { type: "string", enum: [...regionCodes] } },
  parse: parseRegions,
}).describe("The region, or a list of those, of checks that name none of their own");

const email = field({
  expected: "must be one mailbox",
  jsonSchema: { type: "string" },
  parse: (value) => (typeof value === "string" ? parseMailbox(value) : undefined),
}).describe("Its address, and the id of that address");

const emailme = flag.describe("Whether mails about the service itself are welcome");
const itself = id.describe("The same as `customerid`");

type Deps = Pick<ApiDeps, "store" | "clock" | "ids" | "publishChange" | "passwords">;

export function accounts({ store, clock, ids, publishChange, passwords }: Deps): Resource {
  return {
    name: "accounts",
    ids: "account",
    summary: "The primary account and its subaccounts",
    operations: {
      GET: operation({
        summary: "Gives one account, or the token's own and its subaccounts by id",
        input: z.object({ id: itself, customerid: id.describe("The account; all unless given") }),
        response: z.union([accountResponse, z.record(z.string(), listedAccountResponse)]),
        allowsDeletedAccount: true,
        async handle({ customerid }, { caller, account }) {
          if (customerid !== undefined) return accountToWire(account, clock.now());
          const [own, ...subaccounts] = await store.accounts.listWithSubaccounts(caller.id);
          return Object.fromEntries([
            ...(own === undefined
              ? []
              : [[own.account.id, { parent: subaccounts.length, ...listedToWire(own) }]]),
            ...subaccounts.map((summary) => [summary.account.id, listedToWire(summary)]),
          ]);
        },
      }),
      POST: operation({
        summary:
          "Creates a subaccount of the token's account, with a first contact and the usual schedules",
        input: z.object({
          name: required(name),
          contactname: required(name).describe("The name of the contact, whose role is `edit`"),
          email: required(email),
          timezone: required(timezone),
          location: required(location),
          emailme,
        }),
        response: accountResponse,
        async handle(input, { caller }) {
          if (caller.parentId !== undefined)
            throw new Forbidden("a subaccount cannot have subaccounts");
          const createdAt = clock.now();
          const account: Account = {
            ...accountDefaults,
            id: ids.account(createdAt),
            parentId: caller.id,
            name: input.name,
            createdAt,
            offsetHours: offsetOf(input.timezone),
            defaultRegions: input.location,
            wantsNews: input.emailme ?? accountDefaults.wantsNews,
          };
          const contact: Contact = {
            id: ids.contact(account.id),
            accountId: account.id,
            name: input.contactname,
            role: "edit",
            // Clients look this one address up by the address itself.
            addresses: [
              { ...addressDefaults, kind: "email", id: input.email, address: input.email },
            ],
          };
          const welcome = passwords.canSendMail
            ? await passwords.issue(contact, "welcome")
            : undefined;
          await store.write(async (tx) => {
            await createAccount(tx, account, contact);
            await welcome?.(tx);
          });
          return accountToWire(account, createdAt);
        },
      }),
      PUT: operation({
        summary: "Changes an account, where only what is sent changes",
        input: z.object({
          id: itself,
          customerid,
          name,
          timezone,
          location,
          autodiagnotifications: flag.describe(
            "Whether what diagnostics of its failing checks find is mailed",
          ),
          emailme,
          status: choice(["Active", "Suspend"]).describe(
            "Only of a subaccount: suspended it runs no checks and sends nothing, and keeps what it has",
          ),
          accountsuppressall: flag.describe("Whether alerts to all of its contacts are suppressed"),
        }),
        response: accountResponse,
        async handle(input, { caller, account: { id } }) {
          const offsetHours = input.timezone === undefined ? undefined : offsetOf(input.timezone);
          const account = await store.write(async (tx) => {
            const known = await currentAccount(tx.accounts, id);
            const status = input.status === undefined ? known.status : statusOf[input.status];
            // Clients send whole records back, in which the status is as it was.
            if (status !== known.status && id === caller.id)
              throw new InvalidInput("status: can only be changed on a subaccount");
            const changed = {
              ...known,
              name: input.name ?? known.name,
              offsetHours: offsetHours ?? known.offsetHours,
              defaultRegions: input.location ?? known.defaultRegions,
              autoDiagnostics: input.autodiagnotifications ?? known.autoDiagnostics,
              wantsNews: input.emailme ?? known.wantsNews,
              status,
              suppressAll: input.accountsuppressall ?? known.suppressAll,
            };
            await tx.accounts.update(changed, clock.now());
            if (changed.offsetHours !== known.offsetHours)
              await rescheduleMaintenances(tx, changed, clock.now());
            return changed;
          });
          publishChange({ accountId: id, checkNo: undefined });
          return accountToWire(account, clock.now());
        },
      }),
      DELETE: operation({
        summary: "Deletes a subaccount; all that it has goes in the background",
        input: z.object({
          id: itself,
          customerid: required(id).describe("The subaccount"),
        }),
        response: z.object({ success: z.literal("Records queued for deletion.") }),
        async handle(_, { caller, account: { id } }) {
          if (id === caller.id) throw new Forbidden("your own account cannot be deleted");
          await store.write(async (tx) => {
            await currentAccount(tx.accounts, id);
            await tx.accounts.remove(id, clock.now());
          });
          publishChange({ accountId: id, checkNo: undefined });
          return { success: "Records queued for deletion." };
        },
      }),
    },
  };
}

const statusOf = { Active: "active", Suspend: "suspended" } as const;

function offsetOf(timezone: string): number {
  const offsetHours = parseTimeZone(timezone);
  if (offsetHours === undefined) throw new InvalidInput("Invalid time zone");
  return offsetHours;
}

function parseRegions(value: unknown): readonly string[] | undefined {
  const sent = parseList(value) ?? [];
  const codes = sent.map((code) =>
    regionCodes.find((known) => typeof code === "string" && known === code.trim().toLowerCase()),
  );
  const known = codes.filter((code) => code !== undefined);
  return known.length === codes.length && known.length > 0 ? [...new Set(known)] : undefined;
}

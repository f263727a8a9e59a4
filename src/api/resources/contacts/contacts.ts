import { z } from "zod";

import { channelOf } from "../../../channels/registry.ts";
import { primaryIdOf, type Account } from "../../../domain/account/account.ts";
import { type Contact, mailboxOf } from "../../../domain/contact/contact.ts";
import { InvalidInput, NotFound } from "../../../kit/errors.ts";
import type { Reads, Transaction } from "../../../store/store.ts";
import { notifyOfAccessChange } from "../../../store/transactions/tell-of-access.ts";
import { welcomeOf } from "../../welcome.ts";
import { oneOrById, deletedResponse, warning } from "../responses.ts";
import { contactResponse, toResponse, writtenContactResponse } from "./response.ts";
import { addresses, contactFields } from "./input.ts";
import { parseAddresses } from "./parse-addresses.ts";
import { contactTestResponse, createTestRateLimit, testsToResponse } from "./test-contact.ts";
import type { ResourceDeps } from "../../deps.ts";
import { customerid, id } from "../identifiers.ts";
import { required } from "../../../schema/field.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";

type Deps = Pick<
  ResourceDeps,
  | "store"
  | "clock"
  | "ids"
  | "domain"
  | "channels"
  | "passwords"
  | "confirmations"
  | "testContact"
  | "mailLimits"
>;

export function contacts(deps: Deps): Resource {
  return {
    name: "contacts",
    ids: "record",
    summary: "The people who get alerts, and their addresses",
    recorded: async (tx, { accountId, id }) => {
      const contact = await tx.contacts.find(accountId, id);
      if (contact === undefined) return undefined;
      const { name, role, addresses: compared } = contact;
      return { kept: { name, custrole: role }, compared: { addresses: compared } };
    },
    operations: {
      GET: getContacts(deps),
      POST: createContact(deps),
      PUT: updateContact(deps),
      DELETE: deleteContact(),
      RESETPASSWORD: resetPassword(deps),
      TEST: testContact(deps),
    },
  };
}

function getContacts(deps: Deps): Operation {
  return operation({
    summary: "Returns one contact, or all of an account by id",
    needs: "view",
    effect: "read",
    input: z.object({ id, customerid }),
    response: oneOrById(contactResponse),
    async handle({ id }, { account, access }) {
      const { store } = deps;
      const shown = { ...deps, access };
      if (id !== undefined)
        return toResponse(await found(store.contacts, account.id, id), account, shown);
      const all = await store.contacts.list(account.id);
      return Object.fromEntries(
        all.map((contact) => [contact.id, toResponse(contact, account, shown)]),
      );
    },
  });
}

function createContact(deps: Deps): Operation {
  const { ids, confirmations } = deps;
  return operation({
    summary:
      "Creates a contact; one that may sign in gets a password by mail, or in the dashboard a link to choose one",
    needs: "owner",
    effect: "write",
    input: z.object({ customerid, ...contactFields }),
    example: {
      name: "Ann",
      custrole: "notify",
      newaddresses: [{ type: "email", address: "ann@example.com" }],
    },
    response: writtenContactResponse,
    shownAs: { addresses: "newaddresses" },
    async handle({ name = "", custrole: role = "view", newaddresses }, call) {
      const { account } = call;
      if (newaddresses?.length === 0) throw noOwner();
      const contact: Contact = {
        id: ids.contact(account.id),
        accountId: account.id,
        name,
        role,
        addresses: parseAddresses([], { newaddresses }, { ...deps, call }),
      };
      call.about(contact.id);
      const welcome = await welcomeOf(deps, { account, contact, actor: call.actor });
      return call.writeWithinLimits(account, async (tx) => {
        await tx.contacts.insert(contact);
        const stored = await found(tx.contacts, account.id, contact.id);
        const unasked = await confirmations.request(tx, { account, contact: stored, before: [] });
        return written(stored, account, { ...deps, notes: [unasked, await welcome?.(tx)] });
      });
    },
  });
}

function updateContact(deps: Deps): Operation {
  const { confirmations } = deps;
  return operation({
    summary: "Changes a contact; what is not sent stays",
    needs: "owner",
    effect: "write",
    input: z.object({ id: required(id), customerid, ...contactFields, addresses }),
    example: { name: "Ann" },
    response: writtenContactResponse,
    async handle({ id, name, custrole, ...sent }, call) {
      const { account } = call;
      return call.writeWithinLimits(account, async (tx) => {
        const known = await found(tx.contacts, account.id, id);
        const changed = {
          ...known,
          name: name ?? known.name,
          role: custrole ?? known.role,
          addresses: parseAddresses(known.addresses, sent, { ...deps, call }),
        };
        if (sent.addresses !== undefined && changed.addresses.length === 0) throw noOwner();
        if (changed.role !== "owner") await assertAnotherOwner(tx.contacts, known);
        await tx.contacts.update(changed);
        const contact = await found(tx.contacts, account.id, id);
        await tellOfContact(deps, tx, { before: known, after: contact });
        const before = known.addresses;
        const unasked = await confirmations.request(tx, { account, contact, before });
        return written(contact, account, { ...deps, notes: [unasked] });
      });
    },
  });
}

function deleteContact(): Operation {
  return operation({
    summary: "Deletes a contact with its addresses",
    needs: "owner",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, caller, write }) {
      await write(async (tx) => {
        const leaving = await found(tx.contacts, account.id, id);
        // The holder of the parent's token also owns the subaccount.
        if (account.parentId !== caller.id) await assertAnotherOwner(tx.contacts, leaving);
        await tx.contacts.remove(account.id, id);
      });
      return { ok: true, id };
    },
  });
}

function resetPassword({ store, passwords }: Deps): Operation {
  return operation({
    summary: "Mails a new password to a contact; the previous one stops working",
    needs: "owner",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: z.object({ success: z.literal(true), warning }),
    async handle({ id }, { account, write }) {
      const contact = await found(store.contacts, account.id, id);
      if (contact.role === "notify")
        throw new InvalidInput("id: a contact whose custrole is notify does not sign in");
      await write(await passwords.issue(contact, "reset", primaryIdOf(account)));
      return { success: true };
    },
  });
}

function testContact({ store, clock, testContact }: Deps): Operation {
  const countTest = createTestRateLimit(clock);
  return operation({
    summary: "Sends a test message to each address of a contact, and returns the outcomes",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: contactTestResponse,
    async handle({ id }, { account, caller, actor }) {
      const contact = await found(store.contacts, account.id, id);
      if (contact.addresses.length === 0)
        throw new InvalidInput("id: the contact has no address to send a test to");
      const uncount = countTest({ contact, caller });
      const tests = await testContact({ contact, account, caller, actor });
      if (tests.every(({ durationMs }) => durationMs === undefined)) uncount();
      return testsToResponse(tests);
    },
  });
}

function written(
  contact: Contact,
  account: Account,
  {
    notes,
    ...deps
  }: Pick<Deps, "channels" | "confirmations" | "domain"> & {
    readonly notes: readonly (string | undefined)[];
  },
): object {
  const said = [warningOf(contact, deps.channels), ...notes]
    .filter((part) => part !== undefined && part !== "")
    .join("; ");
  return {
    ...toResponse(contact, account, { ...deps, access: "owner" }),
    sdomain: deps.domain,
    ...(said === "" ? {} : { warning: said }),
  };
}

/** The kinds of its addresses to which nothing can be sent, and the reasons. */
function warningOf({ addresses }: Contact, channels: Deps["channels"]): string {
  const kinds = new Set(addresses.map(({ kind }) => kind));
  return [...kinds]
    .flatMap((kind) => {
      const reason = channelOf(channels, kind)?.unavailableReason;
      return reason === undefined ? [] : `nothing can be sent to ${kind} addresses: ${reason}`;
    })
    .join("; ");
}

async function found(contacts: Reads["contacts"], accountId: string, id: string): Promise<Contact> {
  const contact = await contacts.find(accountId, id);
  if (contact === undefined) throw new NotFound("Unable to find that contact");
  return contact;
}

function noOwner(): InvalidInput {
  return new InvalidInput("Account must have at least one 'owner' contact.");
}

/** Refuses to leave an account without its last owner. */
async function assertAnotherOwner(contacts: Reads["contacts"], leaving: Contact): Promise<void> {
  if (leaving.role !== "owner") return;
  const all = await contacts.list(leaving.accountId);
  if (!all.some(({ id, role }) => role === "owner" && id !== leaving.id)) throw noOwner();
}

/** Mails a person who could sign in that their role or mailbox was changed: a change of the mailbox to the old one and the new one. */
async function tellOfContact(
  { ids, clock, passwords }: Pick<ResourceDeps, "ids" | "clock" | "passwords">,
  tx: Transaction,
  { before, after }: { readonly before: Contact; readonly after: Contact },
): Promise<void> {
  if (before.role === "notify" || !passwords.canSendMail) return;
  const tell = (contact: Contact, change: "role" | "mailbox"): Promise<void> =>
    notifyOfAccessChange(tx, { id: ids.uuid(), contact, change, client: "", at: clock.now() });
  if (before.role !== after.role) await tell(before, "role");
  if (mailboxOf(before) === mailboxOf(after)) return;
  await tell(before, "mailbox");
  await tell(after, "mailbox");
}

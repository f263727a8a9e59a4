import { z } from "zod";

import type { Account } from "../../domain/account.ts";
import { addressKinds, contactRoles, nothingSuppressed } from "../../domain/contact.ts";
import type { Address, AddressKind, Contact, Suppressions } from "../../domain/contact.ts";
import { InvalidInput, NotFound } from "../../kit/errors.ts";
import { parseFlag } from "../../kit/flag.ts";
import { isRecord } from "../../kit/safe-json.ts";
import type { ContactReads } from "../../store/contacts.ts";
import type { ApiDeps } from "../deps.ts";
import { choice, id, list, record, required, text } from "../fields.ts";
import { operation } from "../operation.ts";
import type { Resource } from "../operation.ts";

type Entry = Readonly<Record<string, unknown>>;
type Deps = Pick<ApiDeps, "store" | "ids" | "domain" | "parseAddress">;

const fields = {
  customerid: id,
  name: text(255),
  custrole: choice(contactRoles),
  newaddresses: list,
};

export function contacts(deps: Deps): Resource {
  const { store, ids, domain } = deps;
  const written = (contact: Contact, account: Account): object => ({
    ...toWire(contact, account),
    sdomain: domain,
  });
  return {
    name: "contacts",
    ids: "record",
    operations: {
      GET: operation({
        input: z.object({ id, customerid: id }),
        async handle({ id }, { account }) {
          if (id === undefined)
            return Object.fromEntries(
              (await store.contacts.list(account.id)).map((contact) => [
                contact.id,
                toWire(contact, account),
              ]),
            );
          const contact = await store.contacts.find(account.id, id);
          if (contact === undefined) throw missing();
          return toWire(contact, account);
        },
      }),
      POST: operation({
        input: z.object(fields),
        async handle({ name = "", custrole: role = "view", newaddresses }, { account }) {
          const addresses = (newaddresses ?? []).map((entry) => newAddress(deps, entry));
          if (newaddresses !== undefined && addresses.length === 0) throw noOwner();
          const contact = {
            id: ids.contact(account.id),
            accountId: account.id,
            name,
            role,
            addresses,
          };
          await store.write((tx) => tx.contacts.insert(contact));
          return written(contact, account);
        },
      }),
      PUT: operation({
        input: z.object({ id: required(id), ...fields, addresses: record }),
        async handle({ id, name, custrole, addresses, newaddresses = [] }, { account }) {
          const contact = await store.write(async (tx) => {
            const known = await tx.contacts.find(account.id, id);
            if (known === undefined) throw missing();
            const kept =
              addresses === undefined
                ? known.addresses
                : keptAddresses(deps, known.addresses, addresses);
            const added = newaddresses.map((entry) => newAddress(deps, entry));
            if (addresses !== undefined && kept.length + added.length === 0) throw noOwner();
            const changed = {
              ...known,
              name: name ?? known.name,
              role: custrole ?? known.role,
              addresses: [...kept, ...added],
            };
            if (changed.role !== "owner") await assertAnotherOwner(tx.contacts, known);
            await tx.contacts.update(changed);
            return changed;
          });
          return written(contact, account);
        },
      }),
      DELETE: operation({
        input: z.object({ id: required(id), customerid: id }),
        async handle({ id }, { account }) {
          await store.write(async (tx) => {
            const known = await tx.contacts.find(account.id, id);
            if (known === undefined) throw missing();
            await assertAnotherOwner(tx.contacts, known);
            await tx.contacts.remove(account.id, id);
          });
          return { ok: true, id };
        },
      }),
      RESETPASSWORD: operation({
        input: z.object({ id: required(id), customerid: id }),
        async handle() {
          throw new InvalidInput("action: contacts have no passwords to reset");
        },
      }),
    },
  };
}

function missing(): NotFound {
  return new NotFound("Unable to find that contact");
}

function noOwner(): InvalidInput {
  return new InvalidInput("Account must have at least one 'owner' contact.");
}

/** An account that has an owner keeps one. */
async function assertAnotherOwner(contacts: ContactReads, leaving: Contact): Promise<void> {
  if (leaving.role !== "owner") return;
  const all = await contacts.list(leaving.accountId);
  if (!all.some(({ id, role }) => role === "owner" && id !== leaving.id)) throw noOwner();
}

function newAddress({ ids, parseAddress }: Deps, entry: unknown): Address {
  if (!isRecord(entry)) throw new InvalidInput("newaddresses: must be a list of objects");
  const kind = kindOf(entry.type);
  const address = addressText("newaddresses", entry.address);
  if (address === undefined) throw new InvalidInput("newaddresses: address is required");
  return {
    id: ids.address(),
    kind,
    address: named("newaddresses", () => parseAddress(kind, address)),
    status: "new",
    suppress: suppressions("newaddresses", nothingSuppressed, entry),
  };
}

function kindOf(type: unknown): AddressKind {
  const kind = addressKinds.find(
    (each) => typeof type === "string" && each === type.trim().toLowerCase(),
  );
  if (kind === undefined)
    throw new InvalidInput(`newaddresses: type must be one of ${addressKinds.join(", ")}`);
  return kind;
}

/** The addresses that stay, in the order they had, each with what its entry changes. */
function keptAddresses(
  { parseAddress }: Deps,
  known: readonly Address[],
  sent: Entry,
): readonly Address[] {
  const unknown = Object.keys(sent).find((key) => !known.some(({ id }) => id === key));
  if (unknown !== undefined)
    throw new InvalidInput(`addresses: no such address ${JSON.stringify(unknown)}`);
  return known.flatMap((address) => {
    if (!Object.hasOwn(sent, address.id)) return [];
    const entry = sent[address.id];
    if (!isRecord(entry))
      throw new InvalidInput(`addresses: must be an object ${JSON.stringify(address.id)}`);
    const changed = addressText("addresses", entry.address);
    return {
      ...address,
      address:
        changed === undefined || changed === address.address
          ? address.address
          : named("addresses", () => parseAddress(address.kind, changed)),
      suppress: suppressions("addresses", address.suppress, entry),
    };
  });
}

function addressText(parameter: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw new InvalidInput(`${parameter}: address must be text`);
  return value;
}

function named<Value>(parameter: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidInput)
      throw new InvalidInput(`${parameter}: ${error.message}`, { cause: error });
    throw error;
  }
}

const suppressionNames = {
  up: "suppressup",
  down: "suppressdown",
  first: "suppressfirst",
  all: "suppressall",
} as const satisfies Record<keyof Suppressions, string>;

function suppressions(parameter: string, known: Suppressions, entry: Entry): Suppressions {
  const of = (kind: keyof Suppressions): boolean => {
    const name = suppressionNames[kind];
    const value = entry[name];
    if (value === undefined || value === null || value === "") return known[kind];
    const flag = parseFlag(value);
    if (flag === undefined) throw new InvalidInput(`${parameter}: ${name} must be true or false`);
    return flag;
  };
  return { up: of("up"), down: of("down"), first: of("first"), all: of("all") };
}

function toWire({ id, accountId, name, role, addresses }: Contact, account: Account): object {
  return {
    _id: id,
    type: "contact",
    customer_id: accountId,
    name,
    custrole: role,
    ...(addresses.length === 0
      ? {}
      : {
          addresses: Object.fromEntries(
            addresses.map((address) => [address.id, addressToWire(address, account)]),
          ),
        }),
  };
}

function addressToWire({ address, kind, status, suppress }: Address, account: Account): object {
  const set = (["up", "down", "first", "all"] as const).filter((each) => suppress[each]);
  return {
    address,
    type: kind,
    status,
    accountsuppressall: account.suppressAll,
    ...Object.fromEntries(set.map((each) => [suppressionNames[each], true])),
  };
}

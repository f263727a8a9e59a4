import { isRecord } from "../../kit/safe-json.ts";
import { createApiListClient, type ApiListClient, type ApiOptions } from "../api-client.ts";
import { resources } from "../catalogue/catalogue.ts";
import { CommandError, type CommandContext } from "../command-context.ts";
import { unknownName } from "../unknown-name.ts";
import { groupOf } from "./placement.ts";

/** As the ids of accounts, checks, contacts, groups and profiles are written; those of other records have to be looked up. */
const ID = /^\d{12}[A-Z0-9]{5}(?:-[\w-]+)?$/i;
const MAX_SHOWN = 5;

/** A record that may be meant. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  /** The contact, of an address. */
  readonly contactId?: string;
}

/** Finds ids by names; each resource is read once, and only where a name was given. */
export interface RecordNames {
  /**
   * Resolves a name to a record's ID. Throws a CommandError with similar names if there is none; names of resources that may not be listed are returned
   * unchanged.
   */
  readonly idOf: (resource: string | undefined, given: string) => Promise<string>;
  /** Does something with the record that is meant. Where that fails because no such record exists, the error says so, with close names. */
  readonly withId: <Value>(
    resource: string | undefined,
    given: string,
    work: (id: string) => Promise<Value>,
  ) => Promise<Value>;
  /** The same of a contact, address, group or profile. */
  readonly recipientOf: (given: string) => Promise<string>;
}

export function createRecordNames(context: CommandContext, options: ApiOptions): RecordNames {
  const call = createApiListClient(context, options);
  const read = new Map<string, Promise<Records>>();
  const recordsIn = (resource: string): Promise<Records> => {
    const records = read.get(resource) ?? recordsOf(call, resource);
    read.set(resource, records);
    return records;
  };
  const idOf: RecordNames["idOf"] = async (resource, given) => {
    if (resource === undefined || ID.test(given) || resources[resource]?.ids === "name")
      return given;
    const { id, contactId } = recordAmong(await recordsIn(resource), given, wordOf(resource));
    return contactId ?? id;
  };
  return {
    idOf,
    async withId(resource, given, work) {
      const id = await idOf(resource, given);
      try {
        return await work(id);
      } catch (error) {
        if (resource === undefined || !(error instanceof CommandError)) throw error;
        const { all, isWhole } = await recordsIn(resource).catch(() => nothingRead);
        if (!isWhole || all.some((each) => each.id === id)) throw error;
        throw unknown(wordOf(resource), given, all);
      }
    },
    async recipientOf(given) {
      if (ID.test(given)) return given;
      const all = await Promise.all(
        ["contacts", "contactgroups", "notificationprofiles"].map(recordsIn),
      );
      const records = all.flatMap((each) => each.all);
      const isWhole = all.every((each) => each.isWhole);
      return recordAmong({ all: records, isWhole }, given, "contact, address, group, or profile")
        .id;
    },
  };
}

interface Records {
  readonly all: readonly NamedRecord[];
  /** Whether there are no others, such as on further pages. */
  readonly isWhole: boolean;
}

const nothingRead: Records = { all: [], isWhole: false };

function wordOf(resource: string): string {
  return groupOf(resource).replaceAll("-", " ");
}

function unknown(what: string, given: string, all: readonly NamedRecord[]): CommandError {
  const names = all.map(({ id, name }) => (ID.test(given) ? id : name || id));
  return new CommandError(unknownName(what, given, names));
}

/** Returns all records of a resource with their names, and addresses next to their contacts. */
export async function recordsOf(call: ApiListClient, resource: string): Promise<Records> {
  // The list of all checks is long, that of their states is short.
  const answer = await call("GET", resource === "checks" ? "statuses" : resource);
  const page = isRecord(answer) ? answer[resource] : answer;
  const entries: readonly (readonly [string | undefined, unknown])[] = Array.isArray(page)
    ? page.map((each: unknown) => [undefined, each])
    : Object.entries(answer);
  const isWhole = !isRecord(answer) || page === undefined;
  const all = entries.flatMap(([key, each]) => {
    if (!isRecord(each)) return [];
    const id = key ?? each.id ?? each._id;
    const name = each.label ?? each.name ?? each.customer_name ?? each.address ?? "";
    if (typeof id !== "string" || typeof name !== "string") return [];
    return [{ id, name }, ...addressesOf(each.addresses, id)];
  });
  return { all, isWhole };
}

function addressesOf(addresses: unknown, contactId: string): readonly NamedRecord[] {
  if (!isRecord(addresses)) return [];
  return Object.entries(addresses).flatMap(([id, each]) =>
    isRecord(each) && typeof each.address === "string"
      ? [{ id, name: each.address, contactId }]
      : [],
  );
}

function recordAmong({ all, isWhole }: Records, given: string, what: string): NamedRecord {
  const byId = all.find(({ id }) => id === given);
  if (byId !== undefined) return byId;
  const found = named(all, given);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) {
    const shown = found.slice(0, MAX_SHOWN).map(({ id }) => id);
    const more = found.length > MAX_SHOWN ? " …" : "";
    throw new CommandError(
      `${found.length} records are named ${JSON.stringify(given)}: ${shown.join(", ")}${more}`,
    );
  }
  if (!isWhole) return { id: given, name: given };
  throw unknown(what, given, all);
}

/** Returns records with exactly that name, otherwise those that differ only in case. */
function named(all: readonly NamedRecord[], given: string): readonly NamedRecord[] {
  const exact = all.filter(({ name }) => name === given);
  if (exact.length > 0) return exact;
  const lower = given.toLowerCase();
  return all.filter(({ name }) => name.toLowerCase() === lower);
}

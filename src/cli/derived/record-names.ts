import { isRecord } from "../../kit/safe-json.ts";
import { closestWord } from "../../schema/closest-word.ts";
import { createApiListClient } from "../api-client.ts";
import type { ApiListClient, ApiOptions } from "../api-client.ts";
import { resources } from "../catalogue/catalogue.ts";
import { CommandError } from "../command-context.ts";
import type { CommandContext } from "../command-context.ts";

/** As the ids of accounts, checks, contacts, groups and profiles are written; those of other records have to be looked up. */
const ID = /^\d{12}[A-Z0-9]{5}(?:-[\w-]+)?$/i;
const MOST_SHOWN = 5;

/** A record that may be meant. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

/** Finds ids by names; each resource is read once, and only where a name was given. */
export interface RecordNames {
  /** The id of the record of a resource that is meant, or what was given, where nobody has that name. */
  readonly idOf: (resource: string | undefined, given: string) => Promise<string>;
  /** The same of a contact, address, group or profile. */
  readonly recipientOf: (given: string) => Promise<string>;
}

export function createRecordNames(context: CommandContext, options: ApiOptions): RecordNames {
  const call = createApiListClient(context, options);
  const read = new Map<string, Promise<readonly NamedRecord[]>>();
  const recordsIn = (resource: string): Promise<readonly NamedRecord[]> => {
    const records = read.get(resource) ?? recordsOf(call, resource);
    read.set(resource, records);
    return records;
  };
  return {
    async idOf(resource, given) {
      if (resource === undefined || ID.test(given) || resources[resource]?.ids === "name")
        return given;
      return idAmong(await recordsIn(resource), given);
    },
    async recipientOf(given) {
      if (ID.test(given)) return given;
      const all = await Promise.all(
        ["contacts", "contactgroups", "notificationprofiles"].map(recordsIn),
      );
      return idAmong(all.flat(), given);
    },
  };
}

/** All records of a resource, with what people call them; addresses beside their contacts. */
export async function recordsOf(
  call: ApiListClient,
  resource: string,
): Promise<readonly NamedRecord[]> {
  // The list of all checks is long, that of their states is short.
  const answer = await call("GET", resource === "checks" ? "statuses" : resource);
  const page = isRecord(answer) ? answer[resource] : answer;
  const entries: readonly (readonly [string | undefined, unknown])[] = Array.isArray(page)
    ? page.map((each: unknown) => [undefined, each])
    : Object.entries(answer);
  return entries.flatMap(([key, each]) => {
    if (!isRecord(each)) return [];
    const id = key ?? each.id ?? each._id;
    const name = each.label ?? each.name ?? each.customer_name ?? each.address ?? "";
    if (typeof id !== "string" || typeof name !== "string") return [];
    return [{ id, name }, ...addressesOf(each.addresses)];
  });
}

function addressesOf(addresses: unknown): readonly NamedRecord[] {
  if (!isRecord(addresses)) return [];
  return Object.entries(addresses).flatMap(([id, each]) =>
    isRecord(each) && typeof each.address === "string" ? [{ id, name: each.address }] : [],
  );
}

/** What nobody has goes to the API as it is, which says what it thinks of it, unless a name is close. */
function idAmong(all: readonly NamedRecord[], given: string): string {
  if (all.some(({ id }) => id === given)) return given;
  const found = named(all, given);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first.id;
  if (first !== undefined) {
    const shown = found.slice(0, MOST_SHOWN).map(({ id }) => id);
    const more = found.length > MOST_SHOWN ? " …" : "";
    throw new CommandError(
      `${found.length} records are named ${JSON.stringify(given)}: ${shown.join(", ")}${more}`,
    );
  }
  const meant = closestWord(
    given,
    all.map(({ name }) => name),
  );
  if (meant === undefined) return given;
  throw new CommandError(
    `nothing is named ${JSON.stringify(given)}: did you mean ${JSON.stringify(meant)}?`,
  );
}

/** Those of exactly that name, else those that have it in other letters. */
function named(all: readonly NamedRecord[], given: string): readonly NamedRecord[] {
  const exact = all.filter(({ name }) => name === given);
  if (exact.length > 0) return exact;
  const lower = given.toLowerCase();
  return all.filter(({ name }) => name.toLowerCase() === lower);
}

import { isPrototypeKey } from "../../../kit/safe-json.ts";
import type { Configuration } from "../document.ts";
import { addressKeys } from "../address-keys.ts";
import { sectionOf, type Managed } from "../managed.ts";
import { sectionNames, type SectionName } from "../shapes.ts";
import { textOf } from "../text-of.ts";

/** The keys under which the records of an account are written, and how they are referred to. */
export interface ExportKeys {
  readonly of: (section: SectionName) => ReadonlyMap<string, string>;
  /** Undefined for what the account does not have. */
  readonly recipient: (id: string) => string | undefined;
  readonly check: (id: string) => string | undefined;
}

const MAX_KEY_LENGTH = 190;

/** Keys are those that files gave them, otherwise names, with a number from the second of the same name on. */
export function exportKeys(account: Configuration, managed: Managed): ExportKeys {
  const given = new Map(
    Object.entries(managed.records).map(([key, { id }]) => [
      `${sectionOf(key)} ${id}`,
      key.slice(sectionOf(key).length + 1),
    ]),
  );
  const keys = new Map(
    sectionNames.map((section) => [section, keysIn(section, account, given)] as const),
  );
  const of = (section: SectionName): ReadonlyMap<string, string> => keys.get(section) ?? new Map();
  const recipients = recipientNames(account, of);
  return {
    of,
    recipient: (id) => recipients.get(id),
    check: (id) => of("checks").get(id),
  };
}

function keysIn(
  section: SectionName,
  account: Configuration,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (section === "schedules")
    return new Map(Object.keys(account.schedules).map((name) => [name, name]));
  const names = Object.entries(account[section]).map(
    ([id, entry]) => [id, "label" in entry ? textOf(entry.label) : textOf(entry.name)] as const,
  );
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  for (const [id] of names) {
    const key = given.get(`${section} ${id}`);
    if (key === undefined) continue;
    keys.set(id, key);
    taken.add(key);
  }
  for (const [id, name] of names) {
    if (keys.has(id)) continue;
    const wanted = keyOf(name) || section;
    let key = wanted;
    for (let number = 2; taken.has(key); number += 1) key = `${wanted} ${number}`;
    keys.set(id, key);
    taken.add(key);
  }
  return keys;
}

function keyOf(name: string): string {
  const key = name
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim()
    .slice(0, MAX_KEY_LENGTH);
  return isPrototypeKey(key) || key === "<<" ? `${key} 1` : key;
}

/** Contacts, groups and profiles of the same key differ by their kind. */
function recipientNames(
  { contacts }: Configuration,
  of: ExportKeys["of"],
): ReadonlyMap<string, string> {
  const kinds = [
    ["contacts", "contact"],
    ["contactgroups", "group"],
    ["notificationprofiles", "profile"],
  ] as const;
  const counts = new Map<string, number>();
  for (const [section] of kinds)
    for (const key of of(section).values()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const [section, kind] of kinds)
    for (const [id, key] of of(section))
      names.set(id, (counts.get(key) ?? 0) > 1 ? `${kind}:${key}` : key);
  for (const [id, { addresses = {} }] of Object.entries(contacts))
    for (const [key, address] of addressKeys(addresses))
      names.set(address, `${of("contacts").get(id) ?? id}/${key}`);
  return names;
}

import { isAlwaysOpen } from "../../domain/schedule.ts";
import { closestWord } from "../../schema/closest-word.ts";
import type { Configuration } from "./document.ts";
import { addressKeys } from "./address-keys.ts";
import type { Faults } from "./source/faults.ts";
import type { SourceLocation } from "./source/source-location.ts";

/** Something that can be referred to, under one of its names. */
interface Named {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
}

/** Finds what the files refer to: in them, otherwise in the account. */
export interface Names {
  /** Returns the ID of a contact, an address, a group, or a profile. Undefined, with an error, if there is none. */
  readonly recipient: (text: string, place: SourceLocation) => string | undefined;
  readonly check: (text: string, place: SourceLocation) => string | undefined;
  readonly schedule: (text: string, place: SourceLocation) => string | undefined;
}

/** Names declared in files, with the IDs that the records have or will get. */
export interface DeclaredNames {
  readonly recipients: readonly Named[];
  readonly checks: readonly Named[];
  readonly schedules: readonly string[];
}

export function createNames(
  declared: DeclaredNames,
  current: Configuration,
  faults: Faults,
): Names {
  const recipients = finder(declared.recipients, recipientsOf(current));
  const checks = finder(
    declared.checks,
    Object.entries(current.checks).map(([id, { label }]) => ({ kind: "check", name: label, id })),
  );
  const schedules = new Set([...declared.schedules, ...Object.keys(current.schedules)]);
  return {
    recipient(text, place) {
      const found = recipients(text);
      if (found.id === undefined)
        faults.add(place, notFound("contact, address, group or profile", text, found));
      return found.id;
    },
    check(text, place) {
      const found = checks(text);
      if (found.id === undefined) faults.add(place, notFound("check", text, found));
      return found.id;
    },
    schedule(text, place) {
      if (isAlwaysOpen(text) || text.toLowerCase() === "none" || schedules.has(text)) return text;
      faults.add(place, notFound("schedule", text, { closest: closestWord(text, schedules) }));
      return undefined;
    },
  };
}

interface Search {
  readonly id?: string | undefined;
  readonly kinds?: readonly string[];
  readonly closest?: string | undefined;
}

function notFound(what: string, text: string, { kinds = [], closest }: Search): string {
  const quoted = JSON.stringify(text);
  if (kinds.length > 1 && new Set(kinds).size === kinds.length)
    return `there is more than one ${quoted}: write ${kinds.map((kind) => JSON.stringify(`${kind}:${text}`)).join(" or ")}`;
  if (kinds.length > 1) return `there is more than one ${quoted}: write its id`;
  return `no such ${what} ${quoted}${closest === undefined ? "" : `, did you mean ${JSON.stringify(closest)}?`}`;
}

const PREFIX = /^(contact|group|profile):(.+)$/s;

function finder(declared: readonly Named[], current: readonly Named[]): (text: string) => Search {
  const byKey = Map.groupBy(declared, ({ name }) => name);
  const byId = new Map([...declared, ...current].map((each) => [each.id, each]));
  const byName = Map.groupBy(current, ({ name }) => name);
  const known = new Set([...byKey.keys(), ...byName.keys()]);
  return (text) => {
    const [, kind, rest = ""] = PREFIX.exec(text) ?? [];
    const fits = (each: Named): boolean => kind === undefined || each.kind === kind;
    const name = kind === undefined || byKey.has(text) || byName.has(text) ? text : rest;
    for (const candidates of [
      byKey.get(name)?.filter(name === text ? () => true : fits),
      byId.has(name) ? [byId.get(name)].filter((each) => each !== undefined) : undefined,
      byName.get(name)?.filter(name === text ? () => true : fits),
    ]) {
      const ids = new Map((candidates ?? []).map((each) => [each.id, each]));
      const [first] = ids.keys();
      if (ids.size === 1) return { id: first };
      if (ids.size > 1) return { kinds: [...ids.values()].map((each) => each.kind) };
    }
    return { closest: closestWord(name, known) };
  };
}

/** Recipients of the account, addresses under `<contact>/<address>` and `<contact>/<type>`. */
function recipientsOf({
  contacts,
  contactgroups,
  notificationprofiles,
}: Configuration): readonly Named[] {
  return [
    ...Object.entries(contacts).flatMap(([id, { name, addresses = {} }]) => [
      { kind: "contact", name, id },
      ...addressKeys(addresses).flatMap(([key, addressId, { address }]) => [
        { kind: "contact", name: `${name}/${key}`, id: addressId },
        { kind: "contact", name: `${name}/${address}`, id: addressId },
      ]),
    ]),
    ...Object.entries(contactgroups).map(([id, { name }]) => ({ kind: "group", name, id })),
    ...Object.entries(notificationprofiles).map(([id, { name }]) => ({
      kind: "profile",
      name,
      id,
    })),
  ];
}

import { isDeepStrictEqual } from "node:util";

import { checkFields } from "../../api/resources/checks/input.ts";
import { checkTypeOf } from "../../checks/registry.ts";
import { isRecord } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import type { AddressEntries, Configuration } from "./document.ts";
import { sectionOfKind, type AccountPlan, type PlanItem } from "./account-plan.ts";
import { sectionNames } from "./shapes.ts";
import type { Redact } from "./source/redact.ts";

/** Member that a step writes, with its old and new value; both are null if there is no value. */
export type ValueChange =
  | { readonly name: string; readonly isSecret: true }
  | {
      readonly name: string;
      readonly isSecret: false;
      readonly before: unknown;
      readonly after: unknown;
    };

/** Kinds of addresses that people see of each other; others are the key to a channel. */
export const openAddressKinds: ReadonlySet<string> = new Set(["email", "sms", "voice", "twitter"]);

const CONTROLS = new Set(["id", "quietfirst"]);

/** The members that a step writes, without values that files or accounts keep secret. */
export function valueChanges({ current }: AccountPlan, item: PlanItem): readonly ValueChange[] {
  const { step, record, id } = item;
  if (step.change !== "create" && step.change !== "change") return [];
  const [call] = step.calls;
  const sent: JsonObject = call?.parameters ?? {};
  const known = knownValues(current, item, id);
  const names = Object.keys(sent).filter((name) => !CONTROLS.has(name));
  const changes = names.flatMap((name): readonly ValueChange[] => {
    if (step.addresses !== undefined && isAddresses(name)) return [];
    const [before, after] = [valueOf(known[name]), valueOf(sent[name])];
    if (before === null && after === null) return [];
    const isSecret =
      record?.secretMembers.has(name) === true ||
      (step.kind === "check" && isCredential(name, { known, sent }));
    return [isSecret ? { name, isSecret } : { name, isSecret, before, after }];
  });
  if (step.addresses === undefined || !names.some(isAddresses)) return changes;
  return [...changes, addressChange(current.contacts[id ?? ""]?.addresses, step.addresses, record)];
}

function isAddresses(name: string): boolean {
  return name === "addresses" || name === "newaddresses";
}

/** Returns addresses as shown to users. */
export function shownAddresses(
  addresses: readonly { readonly type: string; readonly address: string }[],
): readonly string[] {
  return addresses.map(({ type, address }) =>
    openAddressKinds.has(type) ? `${type} ${address}` : `${type} (secret)`,
  );
}

function addressChange(
  known: AddressEntries = {},
  wanted: AddressEntries,
  record: PlanItem["record"],
): ValueChange {
  const name = "addresses";
  if (record?.secretMembers.has(name) === true) return { name, isSecret: true };
  const [before, after] = [known, wanted].map((entries) => shownAddresses(Object.values(entries)));
  return { name, isSecret: false, before, after };
}

/** The members of a record that is there, by the names of parameters. */
function knownValues(
  current: Configuration,
  { step }: PlanItem,
  id: string | undefined,
): JsonObject {
  if (step.kind === "branding") return { ...current.branding };
  const section = sectionOfKind(step.kind);
  if (section === undefined) {
    const { customer_name: name, defaultlocations: location, ...rest } = current.account;
    return { ...rest, timezone: rest.timezonename ?? rest.timezone, name, location };
  }
  const known: unknown = id === undefined ? undefined : current[section][id];
  if (!isRecord(known)) return {};
  if (section === "schedules") return { data: known };
  const { parameters } = known;
  return { ...(isRecord(parameters) ? parameters : {}), ...known };
}

interface Sides {
  readonly known: JsonObject;
  readonly sent: JsonObject;
}

/** Returns whether a parameter of a check is shown to nobody, or not whole. */
export function isCredential(name: string, { known, sent }: Sides): boolean {
  if (Object.hasOwn(checkFields, name)) return false;
  return [known, { ...known, ...sent }].some((parameters) => {
    const hidden = checkTypeOf(String(parameters.type))?.hideCredentials(parameters);
    return !isDeepStrictEqual(hidden?.[name], parameters[name]);
  });
}

function valueOf(value: unknown): unknown {
  if (value === undefined || value === "") return null;
  if (value === "active" || value === "inactive") return value === "active";
  return value;
}

/** The value with the names of records in place of their ids. */
export function withNames(
  { current, wanted }: AccountPlan,
  redact: Redact,
): (value: unknown) => unknown {
  const names = new Map<string, string>();
  for (const configuration of [current, wanted])
    for (const section of sectionNames)
      for (const [id, entry] of Object.entries<object>(configuration[section])) {
        const { label, name, addresses } = entry as {
          readonly label?: string;
          readonly name?: string;
          readonly addresses?: AddressEntries;
        };
        const called = label ?? name;
        if (called === undefined) continue;
        const shown = redact(called);
        names.set(id, shown);
        for (const [address, { type }] of Object.entries(addresses ?? {}))
          names.set(address, `${shown}/${type}`);
      }
  return renaming(names);
}

/** Puts names in the place of ids, wherever they are in a value. */
export function renaming(names: ReadonlyMap<string, string>): (value: unknown) => unknown {
  const named = (value: unknown): unknown => {
    if (typeof value === "string") return names.get(value) ?? value;
    if (Array.isArray(value)) return value.map(named);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [names.get(key) ?? key, named(each)]),
    );
  };
  return named;
}

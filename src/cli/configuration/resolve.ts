import type { JsonObject } from "../api-client.ts";
import type { Configuration } from "./document.ts";
import { addressesOf, type DeclaredAddresses } from "./addresses.ts";
import type { DeclaredAccount, DeclaredRecord } from "./declaration.ts";
import { inside } from "./declare.ts";
import {
  checkOf,
  contactOf,
  flagOf,
  groupOf,
  maintenanceOf,
  profileOf,
  textsOf,
  type Context,
} from "./entries.ts";
import type { Faults } from "./source/faults.ts";
import { findRecords, recordKey, type Found, type Remembered } from "./find-records.ts";
import { createNames, type DeclaredNames } from "./names.ts";
import { recipientsOf } from "./recipients.ts";
import { sectionNames, type SectionName } from "./shapes.ts";
import { pageOf } from "./status-page-entry.ts";
import { textOf } from "./text-of.ts";

/** A declared account as the planner takes it: by the ids of the account, and those of new records by section and key. */
export interface Resolved {
  readonly wanted: Configuration;
  readonly found: Found;
  /** The declared records by the ids that the planner knows them by. */
  readonly byId: ReadonlyMap<
    string,
    { readonly section: SectionName; readonly record: DeclaredRecord }
  >;
}

/** Adds a fault for each reference that leads nowhere. What the files do not say of a record that is there stays as it is. */
export function resolveAccount(
  declared: DeclaredAccount,
  current: Configuration,
  { remembered, faults }: { readonly remembered: Remembered; readonly faults: Faults },
): Resolved {
  const found = findRecords(declared.sections, current, remembered);
  const addresses = addressesOf(declared, { current, found, faults });
  const names = createNames(declaredNames(declared, found, addresses), current, faults);
  const context = { declared, current, found, names, faults };
  const section = <Entry>(name: SectionName, make: MakeEntry<Entry>): Record<string, Entry> =>
    Object.fromEntries(
      [...declared.sections[name].values()].map((record) => {
        const id = idOf(found, name, record.key);
        return [id, make(record, id)];
      }),
    );
  const wanted: Configuration = {
    account: accountOf(context),
    ...(declared.branding !== undefined && { branding: textsOf(declared.branding.values) }),
    schedules: section("schedules", ({ values }) => values),
    contacts: section("contacts", (record, id) =>
      contactOf(record, { known: current.contacts[id], addresses: addresses.get(record.key) }),
    ),
    contactgroups: section("contactgroups", (record, id) => groupOf(record, id, context)),
    notificationprofiles: section("notificationprofiles", (record, id) =>
      profileOf(record, id, context),
    ),
    checks: section("checks", (record, id) => checkOf(record, id, context)),
    maintenance: section("maintenance", (record, id) => maintenanceOf(record, id, context)),
    statuspages: section("statuspages", (record, id) => pageOf(record, id, context)),
  };
  const byId = sectionNames.flatMap((name) =>
    [...declared.sections[name].values()].map(
      (record) => [`${name} ${idOf(found, name, record.key)}`, { section: name, record }] as const,
    ),
  );
  return { wanted, found, byId: new Map(byId) };
}

type MakeEntry<Entry> = (record: DeclaredRecord, id: string) => Entry;

/** A schedule is known by its name alone. */
function idOf(found: Found, section: SectionName, key: string): string {
  return found[section].get(key) ?? (section === "schedules" ? key : recordKey(section, key));
}

function accountOf({ declared, current, names, faults }: Context): Configuration["account"] {
  if (declared.account === undefined) return current.account;
  const { values, place } = declared.account;
  const { name, timezone, location, recheckwait, defaultnotifications, ...rest } = values;
  const { timezonename, ...known } = current.account;
  return {
    ...known,
    ...(timezone === undefined
      ? timezonename !== undefined && { timezonename }
      : { timezone: textOf(timezone) }),
    ...flagsOf(rest),
    ...(name !== undefined && { customer_name: textOf(name) }),
    ...(recheckwait !== undefined && { recheckwait: Number(recheckwait) }),
    ...(location !== undefined && { defaultlocations: [location].flat().map(textOf) }),
    ...(defaultnotifications !== undefined && {
      defaultnotifications: [
        ...recipientsOf(defaultnotifications, inside(place, "defaultnotifications"), {
          names,
          faults,
        }),
      ],
    }),
  };
}

/** Switches of the account, and the status of a subaccount. */
function flagsOf({ status, ...flags }: JsonObject): Partial<Configuration["account"]> {
  const known = (["Active", "Suspend"] as const).find((each) => each === status);
  return {
    ...Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, flagOf(value)])),
    ...(known !== undefined && { status: known }),
  };
}

function declaredNames(
  { sections }: DeclaredAccount,
  found: Found,
  addresses: ReadonlyMap<string, DeclaredAddresses>,
): DeclaredNames {
  const named = (section: SectionName, kind: string) =>
    [...sections[section].keys()].map((key) => ({
      kind,
      name: key,
      id: idOf(found, section, key),
    }));
  return {
    recipients: [
      ...named("contacts", "contact"),
      ...[...addresses].flatMap(([key, { ids }]) =>
        [...ids].map(([each, id]) => ({ kind: "contact", name: `${key}/${each}`, id })),
      ),
      ...named("contactgroups", "group"),
      ...named("notificationprofiles", "profile"),
    ],
    checks: named("checks", "check"),
    schedules: [...sections.schedules.keys()],
  };
}

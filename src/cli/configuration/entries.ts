import type { JsonObject } from "../api-client.ts";
import type { Configuration, ContactEntry } from "./document.ts";
import type { DeclaredAddresses } from "./addresses.ts";
import type { DeclaredAccount, DeclaredRecord } from "./declaration.ts";
import { inside } from "./declare.ts";
import type { Faults } from "./source/faults.ts";
import type { SourceLocation } from "./source/source-location.ts";
import { titleOf } from "./find-records.ts";
import type { Names } from "./names.ts";
import { recipientsOf } from "./recipients.ts";
import type { SectionName } from "./shapes.ts";
import { flatValues } from "./validate.ts";
import { textOf } from "./text-of.ts";

/** Context for converting a declared record to an entry of the planner. */
export interface Context {
  readonly declared: DeclaredAccount;
  readonly current: Configuration;
  readonly names: Names;
  readonly faults: Faults;
}

export function contactOf(
  record: DeclaredRecord,
  {
    known,
    addresses,
  }: {
    readonly known: ContactEntry | undefined;
    readonly addresses: DeclaredAddresses | undefined;
  },
): ContactEntry {
  const entries = addresses?.entries ?? known?.addresses;
  return {
    name: nameOf("contacts", record, known?.name),
    custrole: roleOf(record.values.custrole) ?? known?.custrole ?? "notify",
    ...(entries !== undefined && { addresses: entries }),
  };
}

function roleOf(value: unknown): ContactEntry["custrole"] | undefined {
  return (["owner", "edit", "view", "notify"] as const).find((role) => role === value);
}

/** A key that is the id of a record does not rename it. */
export function nameOf(
  section: SectionName,
  record: DeclaredRecord,
  known: string | undefined,
): string {
  const { key, values } = record;
  const isUnnamed = values.name === undefined && values.label === undefined;
  return isUnnamed && known !== undefined && ID.test(key) ? known : titleOf(section, record);
}

const ID = /^\d{12}[\dA-Z]{5}-|^[\dA-Z]{6,10}$/;

export function groupOf(
  record: DeclaredRecord,
  id: string,
  { current, names, faults }: Context,
): Configuration["contactgroups"][string] {
  const known = current.contactgroups[id];
  const { members } = record.values;
  return {
    name: nameOf("contactgroups", record, known?.name),
    members: listOf(members, inside(record.place, "members"), {
      faults,
      find: names.recipient,
      known: known?.members,
    }),
  };
}

/** A list of references, or what is there where nothing is said of it. */
function listOf(
  value: unknown,
  place: SourceLocation,
  {
    find,
    known = [],
    faults,
  }: {
    readonly find: (text: string, place: SourceLocation) => string | undefined;
    readonly known?: readonly string[] | undefined;
    readonly faults: Faults;
  },
): string[] {
  if (value === undefined) return [...known];
  if (!Array.isArray(value)) {
    faults.add(place, "must be a list of names");
    return [];
  }
  return value.flatMap((each: unknown, at) => {
    if (typeof each === "string" || typeof each === "number")
      return find(textOf(each), inside(place, at)) ?? [];
    faults.add(inside(place, at), "must be a name");
    return [];
  });
}

export function profileOf(
  record: DeclaredRecord,
  id: string,
  context: Context,
): Configuration["notificationprofiles"][string] {
  const known = context.current.notificationprofiles[id];
  return {
    name: nameOf("notificationprofiles", record, known?.name),
    notifications: notificationsOf(record, known?.notifications, context),
  };
}

function notificationsOf(
  { values, place }: DeclaredRecord,
  known: readonly JsonObject[] = [],
  { names, faults }: Context,
): JsonObject[] {
  return values.notifications === undefined
    ? [...known]
    : [...recipientsOf(values.notifications, inside(place, "notifications"), { names, faults })];
}

export function checkOf(
  record: DeclaredRecord,
  id: string,
  context: Context,
): Configuration["checks"][string] {
  const known = context.current.checks[id];
  const { dep, notifications: _given, ...values } = flatValues(record);
  const at = inside(record.place, "dep");
  const depends = typeof dep === "string" && dep !== "" && dep !== "false";
  return {
    ...values,
    type: textOf(values.type),
    label: nameOf("checks", record, known?.label),
    parameters: {},
    notifications: notificationsOf(record, known?.notifications, context),
    ...(dep !== undefined && { dep: depends ? (context.names.check(dep, at) ?? false) : false }),
  };
}

export function maintenanceOf(
  record: DeclaredRecord,
  id: string,
  { current, names, faults }: Context,
): Configuration["maintenance"][string] {
  const known = current.maintenance[id];
  const { values, place } = record;
  for (const name of ["cron", "duration"] as const)
    if (values[name] === undefined && known === undefined) faults.add(place, `${name}: required`);
  return {
    name: nameOf("maintenance", record, known?.name),
    enabled: flagOf(values.enabled) ?? known?.enabled ?? true,
    duration: Number(values.duration ?? known?.duration ?? 0),
    cron: textOf(values.cron ?? known?.cron ?? "").trim(),
    checklist: listOf(values.checklist, inside(place, "checklist"), {
      find: names.check,
      known: known?.checklist,
      faults,
    }),
  };
}

export function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === "") return undefined;
  return [true, "true", "yes", "1", 1].some((each) => each === value);
}

export function textsOf(values: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, textOf(text)]));
}

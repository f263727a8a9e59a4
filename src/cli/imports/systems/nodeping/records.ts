import { checkTypeOf } from "../../../../checks/registry.ts";
import type { JsonObject } from "../../../api-client.ts";
import { leftOut, mapped, noSetting, noteFields, type Fields } from "../../fields.ts";
import {
  createNotes,
  type Imported,
  type ImportedCheck,
  type ImportedContact,
  type ImportedMaintenance,
  type Notes,
} from "../../imported.ts";
import { isOn, number, object, objects, text, texts } from "../../source.ts";

/** Parameters that a POST accepts unchanged. */
const TAKEN = "autodiag description interval mute public recheckwait sens tags threshold timezone";

export const checkFields: Fields = {
  ...mapped(`${TAKEN} _id enable enabled label notifications parameters target type`),
  ...noSetting(
    `_rev change checktoken created customer_id firstdown modified queue state status suspacct uuid`,
  ),
  ...leftOut("dep", "set the check that it depends on, which has another id here"),
  ...leftOut("homeloc", "choose a location of this installation: homeloc"),
  ...leftOut("runlocations", "choose regions of this installation"),
};

export const contactFields: Fields = {
  ...mapped("_id addresses custrole name"),
  ...noSetting("customer_id type"),
};

export const addressFields: Fields = {
  ...mapped(
    `action address data headers mute priority querystrings suppressall suppressdiag suppressdown
    suppressfirst suppressup type`,
  ),
  ...noSetting("accountsuppressall id status"),
};

export const maintenanceFields: Fields = {
  ...mapped("_id checklist cron duration enabled name start"),
  ...noSetting("customer_id history nextrun processing type update"),
};

/** The records of an account, each with its `_id`. */
export interface NodePingRecords {
  readonly checks: readonly JsonObject[];
  readonly contacts: readonly JsonObject[];
  readonly groups?: readonly JsonObject[];
  readonly profiles?: readonly JsonObject[];
  readonly maintenance?: readonly JsonObject[];
  /** Time zone of the account, as the API reports it; undefined if not read. */
  readonly timeZone?: string | undefined;
}

export function importedFromNodePing({
  groups = [],
  profiles = [],
  maintenance: windows = [],
  timeZone,
  ...records
}: NodePingRecords): Imported {
  const contacts = records.contacts.map(contactOf);
  const recipients: Recipients = {
    contacts: new Map(
      contacts.flatMap(({ from, ids }) => [from, ...ids].map((id) => [id, from] as const)),
    ),
    lists: new Map([
      ...groups.map(({ _id, members }) => [text(_id) ?? "", texts(members)] as const),
      ...profiles.map(
        ({ _id, notifications }) =>
          [text(_id) ?? "", objects(notifications).flatMap((entry) => Object.keys(entry))] as const,
      ),
    ]),
  };
  const absent: Imported["absent"][number][] = [];
  const checks = records.checks.flatMap((record) => {
    const made = checkOf(record, { recipients, timeZone });
    if (typeof made !== "string") return [made];
    const [from, name] = [text(record._id) ?? "", text(record.label) ?? ""];
    absent.push({ kind: "check", from, name, reason: made });
    return [];
  });
  const maintenance = windows.flatMap((record) => {
    const [from, name] = [text(record._id) ?? "", text(record.name) ?? ""];
    const made = maintenanceOf(record, timeZone);
    if (made !== undefined) return [made];
    absent.push({ kind: "maintenance", from, name, reason: "neither a cron nor a start is in it" });
    return [];
  });
  return {
    contacts: contacts.map(({ ids: _ids, ...contact }) => contact),
    checks,
    maintenance,
    absent,
  };
}

function maintenanceOf(
  record: JsonObject,
  timeZone = "another account",
): ImportedMaintenance | undefined {
  const [cron, start] = [text(record.cron), number(record.start)];
  const duration = number(record.duration);
  if ((cron === undefined && start === undefined) || duration === undefined) return undefined;
  const notes = createNotes();
  noteFields(record, maintenanceFields, notes);
  return {
    from: text(record._id) ?? "",
    name: text(record.name) ?? "",
    parameters: {
      ...(cron === undefined ? { start } : { cron }),
      duration,
      enabled: isOn(record.enabled),
    },
    ...(cron !== undefined && { timeZone }),
    checks: texts(record.checklist),
    notes: notes.list,
  };
}

interface Recipients {
  /** Contacts by their ids, and by those of their addresses. */
  readonly contacts: ReadonlyMap<string, string>;
  /** Members of groups and profiles. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

function contactOf(record: JsonObject): ImportedContact & { readonly ids: readonly string[] } {
  const notes = createNotes();
  const addresses = Object.entries(object(record.addresses));
  noteFields(record, contactFields, notes);
  for (const [, address] of addresses)
    noteFields(object(address), addressFields, notes, "addresses.");
  if (text(record.custrole) !== "notify")
    notes.changed("custrole", "it gets alerts; give it a role to let it sign in");
  return {
    from: text(record._id) ?? "",
    name: text(record.name) ?? "",
    addresses: addresses.map(([, address]) =>
      taken(object(address), (name) => isMapped(addressFields, name)),
    ),
    ids: addresses.map(([id]) => id),
    notes: notes.list,
  };
}

interface Account {
  readonly recipients: Recipients;
  readonly timeZone: string | undefined;
}

function checkOf(record: JsonObject, { recipients, timeZone }: Account): ImportedCheck | string {
  const notes = createNotes();
  const type = (text(record.type) ?? "").toUpperCase();
  const checkType = checkTypeOf(type);
  if (checkType === undefined) return `checks of type ${type} do not exist here`;
  const parameters = object(record.parameters);
  const common = new Set(TAKEN.split(" "));
  const own = new Set(Object.keys(checkType.schema.shape));
  own.delete("checktoken");
  const sent = taken({ ...record, ...parameters }, (name) => common.has(name) || own.has(name));
  const { target: _target, ...rest } = sent;
  noteFields(record, checkFields, notes);
  const others = taken(parameters, (name) => !own.has(name));
  noteFields(others, checkFields, notes, "parameters.");
  if (type === "PUSH")
    notes.changed("checktoken", "the sender needs the new id and token: check show");
  const target = text(parameters.target) ?? text(record.target);
  return {
    from: text(record._id) ?? "",
    name: text(record.label) ?? target ?? "",
    type,
    ...(target !== undefined && { target }),
    parameters: {
      ...rest,
      enabled: text(record.enable) === "active" || isOn(record.enabled),
      ...zoneOf(parameters, timeZone, notes),
    },
    recipients: recipientsOf(record, recipients, notes),
    aliases: [],
    notes: notes.list,
  };
}

/** Returns the non-empty fields of a record whose names are accepted. */
function taken(record: JsonObject, isTaken: (name: string) => boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => isTaken(name) && value !== "" && value !== null,
    ),
  );
}

function isMapped(fields: Fields, name: string): boolean {
  return Object.hasOwn(fields, name) && fields[name]?.outcome === "mapped";
}

/** A check whose times are those of its account keeps the zone of that account. */
function zoneOf(
  { cron, oncalendar, timezone }: JsonObject,
  timeZone: string | undefined,
  notes: Notes,
): JsonObject {
  const isByClock = text(cron) !== undefined || text(oncalendar) !== undefined;
  if (!isByClock || text(timezone) !== undefined) return {};
  if (timeZone !== undefined) return { timezone: timeZone };
  notes.leftOut(
    "timezone",
    "its times are those of its account, whose time zone is not in these files; it is off",
  );
  return { enabled: false };
}

function recipientsOf(
  record: JsonObject,
  { contacts, lists }: Recipients,
  notes: Notes,
): ImportedCheck["recipients"] {
  const found = new Map<string, number>();
  for (const entry of objects(record.notifications))
    for (const [id, rule] of Object.entries(entry)) {
      const schedule = text(object(rule).schedule) ?? text(rule);
      if (schedule !== undefined && schedule !== "All")
        notes.leftOut("notifications", `the schedule ${schedule}: alerts go out at any time`);
      for (const contact of contactsOf(id, { contacts, lists }, notes))
        found.set(contact, number(object(rule).delay) ?? 0);
    }
  return [...found].map(([contact, delay]) => ({ contact, ...(delay > 0 && { delay }) }));
}

function contactsOf(id: string, { contacts, lists }: Recipients, notes: Notes): readonly string[] {
  const members = lists.get(id);
  if (members !== undefined) {
    notes.changed("notifications", `the members of ${id}, which is a list of recipients there`);
    return members.flatMap((member) => contactsOf(member, { contacts, lists: new Map() }, notes));
  }
  const contact = contacts.get(id);
  if (contact === undefined) notes.leftOut("notifications", `${id} is no contact that came`);
  else if (contact !== id) notes.changed("notifications", `all addresses of the contact of ${id}`);
  return contact === undefined ? [] : [contact];
}

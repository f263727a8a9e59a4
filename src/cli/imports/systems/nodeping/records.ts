import { checkTypeOf } from "../../../../checks/registry.ts";
import type { JsonObject } from "../../../api-client.ts";
import { createNotes } from "../../imported.ts";
import type {
  Imported,
  ImportedCheck,
  ImportedContact,
  ImportedMaintenance,
  Notes,
} from "../../imported.ts";
import { isOn, number, object, objects, text, texts } from "../../source.ts";

/** What a record has beside what a POST takes. */
const ASSIGNED = new Set([
  "_id",
  "_rev",
  "change",
  "checktoken",
  "created",
  "customer_id",
  "dep",
  "enable",
  "enabled",
  "firstdown",
  "homeloc",
  "label",
  "modified",
  "notifications",
  "parameters",
  "queue",
  "runlocations",
  "state",
  "status",
  "target",
  "type",
  "uuid",
]);

/** The records of an account, each with its `_id`. */
export interface NodePingRecords {
  readonly checks: readonly JsonObject[];
  readonly contacts: readonly JsonObject[];
  readonly groups?: readonly JsonObject[];
  readonly profiles?: readonly JsonObject[];
  readonly maintenance?: readonly JsonObject[];
  /** Of the account, as the API shows it; undefined where that was not read. */
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
    absent.push({ kind: "maintenance", from, name, reason: "it is once, and no cron says when" });
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
  const [cron, duration] = [text(record.cron), number(record.duration)];
  if (cron === undefined || duration === undefined) return undefined;
  return {
    from: text(record._id) ?? "",
    name: text(record.name) ?? "",
    parameters: { cron, duration, enabled: isOn(record.enabled) },
    timeZone,
    checks: texts(record.checklist),
    notes: [],
  };
}

interface Recipients {
  /** Contacts by their ids, and by those of their addresses. */
  readonly contacts: ReadonlyMap<string, string>;
  /** What groups and profiles have. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

function contactOf(record: JsonObject): ImportedContact & { readonly ids: readonly string[] } {
  const notes = createNotes();
  const addresses = Object.entries(object(record.addresses));
  if (text(record.custrole) !== "notify")
    notes.changed("custrole", "it gets alerts; give it a role to let it sign in");
  return {
    from: text(record._id) ?? "",
    name: text(record.name) ?? "",
    addresses: addresses.map(([, value]) => {
      const { status: _status, id: _id, ...address } = object(value);
      return address;
    }),
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
  if (checkTypeOf(type) === undefined) return `checks of type ${type} do not exist here`;
  const parameters = object(record.parameters);
  const rest = Object.entries({ ...record, ...parameters }).filter(
    ([name, value]) => !ASSIGNED.has(name) && value !== "" && value !== null,
  );
  if (text(record.dep) !== undefined)
    notes.leftOut("dep", "set the check that it depends on, which has another id here");
  if (texts(record.runlocations).length > 0 || text(record.runlocations) !== undefined)
    notes.leftOut("runlocations", "choose regions of this installation");
  if (type === "PUSH")
    notes.changed("checktoken", "the sender needs the new id and token: check show");
  const target = text(parameters.target) ?? text(record.target);
  return {
    from: text(record._id) ?? "",
    name: text(record.label) ?? target ?? "",
    type,
    ...(target !== undefined && { target }),
    parameters: {
      ...Object.fromEntries(rest),
      enabled: text(record.enable) === "active" || isOn(record.enabled),
      ...zoneOf(parameters, timeZone, notes),
    },
    recipients: recipientsOf(record, recipients, notes),
    aliases: [],
    notes: notes.list,
  };
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

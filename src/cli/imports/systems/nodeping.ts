import { checkTypeOf } from "../../../checks/registry.ts";
import type { JsonObject } from "../../api-client.ts";
import { createNotes } from "../imported.ts";
import type { Imported, ImportedCheck, ImportedContact, ImportSystem, Notes } from "../imported.ts";
import { isOn, number, object, objects, readSources, text, texts } from "../source.ts";

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

export const nodePing: ImportSystem = {
  name: "nodeping",
  description:
    "NodePing: what its API answers to GET /api/1/checks and /api/1/contacts, as files in a folder.",
  async read(path) {
    const records = (await readSources(path)).flatMap(({ value }) =>
      Array.isArray(value) ? objects(value) : Object.values(object(value)).map(object),
    );
    const contacts = records.filter(({ addresses }) => addresses !== undefined).map(contactOf);
    const recipients = new Map(
      contacts.flatMap(({ from, ids }) => [from, ...ids].map((id) => [id, from] as const)),
    );
    const absent: Imported["absent"][number][] = [];
    const checks = records
      .filter(({ parameters }) => parameters !== undefined)
      .flatMap((record) => {
        const made = checkOf(record, recipients);
        if (typeof made !== "string") return [made];
        const [from, name] = [text(record._id) ?? "", text(record.label) ?? ""];
        absent.push({ kind: "check", from, name, reason: made });
        return [];
      });
    return {
      contacts: contacts.map(({ ids: _ids, ...contact }) => contact),
      checks,
      maintenance: [],
      absent,
    };
  },
};

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

function checkOf(
  record: JsonObject,
  recipients: ReadonlyMap<string, string>,
): ImportedCheck | string {
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
    },
    recipients: recipientsOf(record, recipients, notes),
    aliases: [],
    notes: notes.list,
  };
}

function recipientsOf(
  record: JsonObject,
  recipients: ReadonlyMap<string, string>,
  notes: Notes,
): ImportedCheck["recipients"] {
  const found = new Map<string, number>();
  for (const entry of objects(record.notifications))
    for (const [id, rule] of Object.entries(entry)) {
      const contact = recipients.get(id);
      if (contact === undefined) notes.leftOut("notifications", `${id} is no contact of the files`);
      else {
        if (contact !== id) notes.changed("notifications", `all addresses of the contact of ${id}`);
        const schedule = text(object(rule).schedule) ?? text(rule);
        if (schedule !== undefined && schedule !== "All")
          notes.leftOut("notifications", `the schedule ${schedule}: alerts go out at any time`);
        found.set(contact, number(object(rule).delay) ?? 0);
      }
    }
  return [...found].map(([contact, delay]) => ({ contact, ...(delay > 0 && { delay }) }));
}

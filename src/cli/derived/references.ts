import { isRecord } from "../../kit/safe-json.ts";
import type { JsonObject } from "../api-client.ts";
import type { RecordNames } from "./record-names.ts";

/** Parameters that name records of other resources. */
export const references: Readonly<Record<string, string>> = {
  checklist: "checks",
  checks: "checks",
  contact: "contacts",
  dep: "checks",
  maintenance: "maintenance",
  members: "contacts",
  page: "statuspages",
  pages: "statuspages",
  watch: "checks",
};

/** The parameters with ids in place of the names of records. */
export async function withIds(parameters: JsonObject, names: RecordNames): Promise<JsonObject> {
  const entries = Object.entries(parameters).map(async ([name, value]) => {
    const resource = references[name];
    if (resource !== undefined) return [name, await idsIn(value, resource, names)] as const;
    if (name === "notifications" && Array.isArray(value))
      return [name, await Promise.all(value.map((each) => recipientIn(each, names)))] as const;
    if (name === "sections" && Array.isArray(value))
      return [name, await Promise.all(value.map((each) => sectionIn(each, names)))] as const;
    return [name, value] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function idsIn(value: unknown, resource: string, names: RecordNames): Promise<unknown> {
  if (Array.isArray(value))
    return Promise.all(
      value.map((each: unknown) => (typeof each === "string" ? names.idOf(resource, each) : each)),
    );
  if (typeof value !== "string" || /^(?:true|false)?$/.test(value)) return value;
  const ids = await Promise.all(value.split(",").map((each) => names.idOf(resource, each.trim())));
  return ids.join(",");
}

async function recipientIn(entry: unknown, { recipientOf }: RecordNames): Promise<unknown> {
  if (!isRecord(entry)) return entry;
  const pairs = Object.entries(entry).map(
    async ([name, wish]) => [await recipientOf(name), wish] as const,
  );
  return Object.fromEntries(await Promise.all(pairs));
}

/** Resolves a section of a status page, whose checks have display names besides their IDs. */
async function sectionIn(section: unknown, names: RecordNames): Promise<unknown> {
  if (!isRecord(section) || !Array.isArray(section.checks)) return section;
  const checks = section.checks.map(async (each: unknown) =>
    isRecord(each) && typeof each.id === "string"
      ? { ...each, id: await names.idOf("checks", each.id) }
      : each,
  );
  return { ...section, checks: await Promise.all(checks) };
}

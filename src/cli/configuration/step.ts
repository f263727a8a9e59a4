import type { JsonObject, HttpMethod } from "../api-client.ts";
import type { AddressEntries } from "./document.ts";

export const resources = {
  account: "accounts",
  branding: "branding",
  contact: "contacts",
  "contact group": "contactgroups",
  schedule: "schedules",
  "notification profile": "notificationprofiles",
  check: "checks",
  maintenance: "maintenance",
  "status page": "statuspages",
} as const;
export type Kind = keyof typeof resources;

export interface ApiCall {
  readonly verb: HttpMethod;
  /** Records that do not exist yet are referenced by their ids in the document. */
  readonly parameters: JsonObject;
}

/** Step of an import for one record. */
export interface ConfigurationStep {
  readonly kind: Kind;
  readonly change: "create" | "change" | "same" | "prune";
  readonly name: string;
  /** The id in the document; of a record that is deleted, the id in the account. */
  readonly id: string;
  /** The names of the parameters that differ. */
  readonly differences: readonly string[];
  readonly calls: readonly ApiCall[];
  /** The id in the document of the check that has to be written before. */
  readonly dependsOn?: string;
  /** The addresses of a contact, whose ids are known only after the calls. */
  readonly addresses?: AddressEntries;
}

export type RecordName = Pick<ConfigurationStep, "kind" | "id" | "name">;

export function recordTitle({ kind, name }: Pick<RecordName, "kind" | "name">): string {
  return `${kind} ${JSON.stringify(name)}`;
}

export function createStep(record: RecordName, parameters: JsonObject): ConfigurationStep {
  return {
    ...record,
    change: "create",
    differences: [],
    calls: [{ verb: "POST", parameters }],
  };
}

/** `changes` are the parameters that differ; empty if none does. */
export function changeStep(record: RecordName, changes: JsonObject): ConfigurationStep {
  const differences = Object.keys(changes);
  if (differences.length === 0) return { ...record, change: "same", differences, calls: [] };
  const calls: readonly ApiCall[] = [{ verb: "PUT", parameters: { id: record.id, ...changes } }];
  return { ...record, change: "change", differences, calls };
}

export function pruneStep(record: RecordName): ConfigurationStep {
  const calls: readonly ApiCall[] = [{ verb: "DELETE", parameters: { id: record.id } }];
  return { ...record, change: "prune", differences: [], calls };
}

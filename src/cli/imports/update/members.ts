import { subscriptionsOf } from "../../../domain/check.ts";
import { isRecord } from "../../../kit/safe-json.ts";
import type { JsonObject } from "../../api-client.ts";
import type { ImportStep } from "../import-plan.ts";
import { object, objects } from "../source.ts";
import type { ValueDigest, Pairs } from "./digests.ts";

/** Returns the other system's record by the field names used here; references have their IDs there. */
export function remoteFieldsOf(step: ImportStep): JsonObject {
  const { kind, record } = step;
  if (kind === "contact") return { name: record.name, addresses: record.addresses };
  if (kind === "maintenance")
    return { name: record.name, ...record.parameters, checklist: record.checks };
  if (kind === "statuspage")
    return { name: record.name, ...record.parameters, sections: record.sections };
  const { name: label, type, target, parameters, recipients: notifications } = record;
  return { label, type, ...(target !== undefined && { target }), ...parameters, notifications };
}

const FIELDS_OF_CHECKS = ["label", "interval", "tags", "description", "type", "recheckwait"];

/** Returns the record here by the same fields. */
export function localFieldsOf(kind: ImportStep["kind"], record: JsonObject): JsonObject {
  if (kind === "contact")
    return { name: record.name, addresses: addressesIn(record).map(withoutState) };
  if (kind !== "check") return record;
  const { checktoken: _checktoken, ...parameters } = object(record.parameters);
  return {
    ...parameters,
    ...Object.fromEntries(FIELDS_OF_CHECKS.map((name) => [name, record[name]])),
    enabled: record.enable === "active",
    notifications: subscriptionsOf(objects(record.notifications)),
  };
}

/** The addresses of a contact that is here. */
export function addressesIn(record: JsonObject): readonly JsonObject[] {
  return Object.values(object(record.addresses)).map(object);
}

function withoutState({ id: _id, status: _status, ...address }: JsonObject): JsonObject {
  return address;
}

interface Sides {
  readonly step: ImportStep;
  /** The record that is here. */
  readonly here: JsonObject;
}

/** The pairs of a record as both sides are now; of a check also of what it is here alone, which may come from there later. */
export function newPairs(
  { step, here }: Sides,
  digest: ValueDigest | undefined,
): Pairs | undefined {
  if (digest === undefined) return undefined;
  const [there, own] = [remoteFieldsOf(step), localFieldsOf(step.kind, here)];
  const names = Object.keys(step.kind === "check" ? { ...own, ...there } : there);
  return Object.fromEntries(names.map((name) => [name, [digest(there[name]), digest(own[name])]]));
}

/** The record in an answer, which may have it by its id. */
export function recordOf(answer: JsonObject, id: string): JsonObject {
  const { [id]: inside } = answer;
  return isRecord(inside) ? inside : answer;
}

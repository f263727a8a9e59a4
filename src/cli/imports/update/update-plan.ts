import { isDeepStrictEqual } from "node:util";

import { subscriptionsOf } from "../../../domain/check.ts";
import type { JsonObject } from "../../api-client.ts";
import {
  isCredential,
  renaming,
  shownAddresses,
  type ValueChange,
} from "../../configuration/value-changes.ts";
import {
  addressOf,
  allSteps,
  type ImportPlan,
  type ImportStep,
  type Known,
} from "../import-plan.ts";
import { objects, text } from "../source.ts";
import { noIds, parametersOf, type ImportedIds } from "../write-import.ts";
import { addressParameters } from "./address-parameters.ts";
import { addressesIn, localFieldsOf, remoteFieldsOf } from "./members.ts";

/** Why a difference is only said. */
export type HeldBack = "changed on both sides" | "not known which side changed";

/** Update of a record that was imported earlier. */
export interface RecordUpdate {
  readonly step: ImportStep & { readonly action: "adopt" | "keep" };
  /** Fields that changed there, and not here. */
  readonly changes: readonly ValueChange[];
  readonly held: readonly { readonly change: ValueChange; readonly reason: HeldBack }[];
  /** Whether the stored data about the record must be rewritten. */
  readonly isNews: boolean;
}

export interface GoneRecord {
  readonly kind: ImportStep["kind"];
  readonly from: string;
  readonly id: string;
  readonly name: string;
}

export interface UpdatePlan {
  readonly updates: readonly RecordUpdate[];
  /** Imported before, and not in the source any more. */
  readonly gone: readonly GoneRecord[];
  /** Puts the names of records in place of their ids. */
  readonly named: (value: unknown) => unknown;
}

/** Records that refer to others are deleted first. */
const KINDS = ["statuspage", "maintenance", "check", "contact"] as const;

/** Compares what was imported with what the source has now and with what is here. */
export function updatePlanOf(plan: ImportPlan): UpdatePlan {
  const steps = allSteps(plan);
  const ids = plannedIds(steps);
  const updates = steps.flatMap((step) =>
    step.action === "keep" ? [updateOf(step, { known: plan.known, ids })] : [],
  );
  return { updates, gone: goneOf(plan, steps), named: renaming(namesOf(plan, steps)) };
}

/** Records that do not exist yet are listed under their IDs there. */
function plannedIds(steps: readonly ImportStep[]): ImportedIds {
  const ids = noIds();
  for (const step of steps)
    ids[step.kind].set(step.record.from, step.action === "create" ? step.record.from : step.id);
  return ids;
}

function namesOf({ known }: ImportPlan, steps: readonly ImportStep[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { action, record } of steps)
    if (action === "create") names.set(record.from, record.name);
  for (const kind of KINDS)
    for (const [id, record] of known.records[kind]) names.set(id, nameOf(record));
  return names;
}

function nameOf({ label, name }: JsonObject): string {
  return text(label) ?? text(name) ?? "";
}

function goneOf({ known, absent }: ImportPlan, steps: readonly ImportStep[]): GoneRecord[] {
  const there = new Set([
    ...steps.map(({ kind, record }) => `${kind} ${record.from}`),
    ...absent.map(({ kind, from }) => `${kind} ${from}`),
  ]);
  return KINDS.flatMap((kind) =>
    Object.entries(known.marked[kind]).flatMap(([from, id]) => {
      const record = known.records[kind].get(id);
      if (record === undefined || there.has(`${kind} ${from}`)) return [];
      return [{ kind, from, id, name: nameOf(record) }];
    }),
  );
}

interface About {
  readonly known: Known;
  readonly ids: ImportedIds;
}

function updateOf(step: RecordUpdate["step"], { known, ids }: About): RecordUpdate {
  const { digest } = known;
  const record = known.records[step.kind].get(step.id) ?? {};
  const pairs = digest && known.pairs[step.kind][step.record.from];
  const there = remoteFieldsOf(step);
  const sides = { record, here: localFieldsOf(step.kind, record), wanted: parametersOf(step, ids) };
  const changes: ValueChange[] = [];
  const held: RecordUpdate["held"][number][] = [];
  let isNews = pairs === undefined;
  for (const name of Object.keys({ ...pairs, ...there })) {
    const [thereBefore, hereBefore] = pairs?.[name] ?? [digest?.(undefined)];
    if (pairs !== undefined && digest?.(there[name]) === thereBefore) continue;
    isNews = true;
    if (isSame(step, { name, ...sides })) continue;
    const change = valueChange(step, { name, ...sides });
    if (pairs === undefined) held.push({ change, reason: "not known which side changed" });
    else if (digest?.(sides.here[name]) === hereBefore) changes.push(change);
    else held.push({ change, reason: "changed on both sides" });
  }
  return { step, changes, held, isNews };
}

interface Compared {
  readonly name: string;
  /** As it is listed. */
  readonly record: JsonObject;
  readonly here: JsonObject;
  readonly wanted: JsonObject;
}

function isSame(step: ImportStep, { name, record, here, wanted }: Compared): boolean {
  if (step.kind === "contact" && name === "addresses")
    return Object.keys(addressParameters(step.record.addresses, record)).length === 0;
  if (step.kind === "check" && name === "notifications")
    return isDeepStrictEqual(here[name], subscriptionsOf(objects(wanted[name])));
  const [one, other] = [here[name], wanted[name]];
  if (name === "target") return addressOf(one) === addressOf(other);
  return isDeepStrictEqual(one, other) || (isEmpty(one) && isEmpty(other));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || isDeepStrictEqual(value, []);
}

function valueChange(step: ImportStep, { name, record, here, wanted }: Compared): ValueChange {
  if (step.kind === "contact" && name === "addresses") {
    const [before, after] = [addressesIn(record), step.record.addresses].map((addresses) =>
      shownAddresses(
        addresses.map(({ type, address }) => ({ type: String(type), address: String(address) })),
      ),
    );
    return { name, isSecret: false, before, after };
  }
  if (step.kind === "check" && isCredential(name, { known: here, sent: wanted }))
    return { name, isSecret: true };
  const before = name === "notifications" ? record[name] : here[name];
  return { name, isSecret: false, before: before ?? null, after: wanted[name] ?? null };
}

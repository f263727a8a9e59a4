import { z } from "zod";

import { isRecord } from "../../kit/safe-json.ts";
import { parseResponse, type ApiClient, type JsonObject } from "../api-client.ts";
import { readHistories, type Histories } from "./history/send-history.ts";
import type {
  Imported,
  ImportedCheck,
  ImportedContact,
  ImportedMaintenance,
  ImportedStatusPage,
} from "./imported.ts";
import { object } from "./source.ts";
import { createDigest, type ValueDigest, type Pairs } from "./update/digests.ts";

/** Action for a record: `adopt` marks an existing one that was not imported. */
export type Action = "create" | "adopt" | "keep";

type Step<Record> = { readonly record: Record } & (
  | { readonly action: "create" }
  /** Its id here, of one that is there. */
  | { readonly action: "adopt" | "keep"; readonly id: string }
);

export type ImportStep =
  | ({ readonly kind: "contact" } & Step<ImportedContact>)
  | ({ readonly kind: "check" } & Step<ImportedCheck>)
  | ({ readonly kind: "maintenance" } & Step<ImportedMaintenance>)
  | ({ readonly kind: "statuspage" } & Step<ImportedStatusPage>);

export interface ImportPlan {
  readonly contacts: readonly Step<ImportedContact>[];
  readonly checks: readonly Step<ImportedCheck>[];
  readonly maintenance: readonly Step<ImportedMaintenance>[];
  readonly statusPages: readonly Step<ImportedStatusPage>[];
  readonly absent: Imported["absent"];
  /** Imported histories of checks. */
  readonly histories: Histories;
  readonly known: Known;
}

type OfKinds<Value> = Readonly<Record<ImportStep["kind"], Value>>;

/** Existing records, and data of earlier imports. */
export interface Known {
  /** Records by their ID here. */
  readonly records: OfKinds<ReadonlyMap<string, JsonObject>>;
  /** Ids here, by ids there. */
  readonly marked: OfKinds<Readonly<Record<string, string>>>;
  /** Values of records at their import, by their ID in the other system. */
  readonly pairs: OfKinds<Readonly<Record<string, Pairs>>>;
  /** Undefined if the installation keeps no digests, or the token may not write them. */
  readonly digest: ValueDigest | undefined;
}

const pairsById = z.record(z.string(), z.record(z.string(), z.tuple([z.string(), z.string()])));
const marks = z.object({
  checks: z.record(z.string(), z.string()),
  contacts: z.record(z.string(), z.string()),
  maintenance: z.record(z.string(), z.string()),
  // Installations before it was there have none.
  statuspages: z.record(z.string(), z.string()).default({}),
  fields: z
    .object({
      checks: pairsById,
      contacts: pairsById,
      maintenance: pairsById,
      statuspages: pairsById,
    })
    .default({ checks: {}, contacts: {}, maintenance: {}, statuspages: {} }),
  digestkey: z.string().optional(),
});

const named = z.object({ name: z.string().optional() });
const listedChecks = z.record(
  z.string(),
  z.object({
    type: z.string(),
    label: z.string(),
    parameters: z.looseObject({ target: z.unknown().optional() }),
  }),
);

/** Compares what another system has with what is here, without a change. */
export async function importPlanOf(
  api: ApiClient,
  imported: Imported,
  origin: string,
): Promise<ImportPlan> {
  const marked = parseResponse(marks, await api("GET", "imports", { origin, fields: true }));
  const read = {
    checks: await api("GET", "checks"),
    contacts: await api("GET", "contacts"),
    statuspages: await api("GET", "statuspages"),
    maintenance: schedulesIn(await api("GET", "maintenance")),
  };
  const checks = parseResponse(listedChecks, read.checks);
  const contacts = parseResponse(z.record(z.string(), named), read.contacts);
  const { statusPages = [] } = imported;
  const pages = parseResponse(z.record(z.string(), named), read.statuspages);
  const maintenance = parseResponse(z.record(z.string(), named), read.maintenance);
  return {
    absent: imported.absent,
    histories: await readHistories(api),
    known: {
      records: byKind({
        checks: recordsIn(read.checks),
        contacts: recordsIn(read.contacts),
        maintenance: recordsIn(read.maintenance),
        statuspages: recordsIn(read.statuspages),
      }),
      marked: byKind(marked),
      pairs: byKind<Readonly<Record<string, Pairs>>>(marked.fields),
      digest: marked.digestkey === undefined ? undefined : createDigest(marked.digestkey),
    },
    contacts: stepsOf(imported.contacts, {
      marked: marked.contacts,
      present: namesOf(contacts),
      keyOf: ({ name }) => name,
    }),
    checks: stepsOf(imported.checks, {
      marked: marked.checks,
      present: new Map(
        Object.entries(checks).map(([id, { type, label, parameters }]) => [
          id,
          checkKey({ type, name: label, target: parameters.target }),
        ]),
      ),
      keyOf: checkKey,
    }),
    maintenance: stepsOf(imported.maintenance, {
      marked: marked.maintenance,
      present: namesOf(maintenance),
      keyOf: ({ name }) => name,
    }),
    statusPages: stepsOf(statusPages, {
      marked: marked.statuspages,
      present: namesOf(pages),
      keyOf: ({ name }) => name,
    }),
  };
}

function byKind<Value>({
  checks,
  contacts,
  maintenance,
  statuspages,
}: Readonly<Record<"checks" | "contacts" | "maintenance" | "statuspages", Value>>): OfKinds<Value> {
  return { check: checks, contact: contacts, maintenance, statuspage: statuspages };
}

function schedulesIn(listed: JsonObject): JsonObject {
  return isRecord(listed.schedules) ? listed.schedules : listed;
}

function recordsIn(listed: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(Object.entries(listed).map(([id, record]) => [id, object(record)]));
}

function namesOf(records: Readonly<Record<string, { name?: string | undefined }>>) {
  return new Map(Object.entries(records).map(([id, { name = "" }]) => [id, name]));
}

function checkKey({
  type,
  name,
  target,
}: {
  readonly type: string;
  readonly name: string;
  readonly target?: unknown;
}): string {
  return JSON.stringify([type, name, addressOf(target)]);
}

/** A target in the form that is stored, because web addresses have several that mean the same. */
export function addressOf(target: unknown): string {
  const address = typeof target === "string" ? target : "";
  return URL.parse(address)?.href ?? address;
}

function stepsOf<Record extends { readonly from: string }>(
  wanted: readonly Record[],
  {
    marked,
    present,
    keyOf,
  }: {
    /** Ids here, by ids there. */
    readonly marked: Readonly<{ [from: string]: string }>;
    /** Names of records, by their ID here. */
    readonly present: ReadonlyMap<string, string>;
    readonly keyOf: (record: Record) => string;
  },
): readonly Step<Record>[] {
  const taken = new Set(Object.values(marked));
  const free = [...present].filter(([id]) => !taken.has(id));
  return wanted.map((record) => {
    const known = Object.hasOwn(marked, record.from) ? marked[record.from] : undefined;
    if (known !== undefined && present.has(known)) return { action: "keep", record, id: known };
    const at = free.findIndex(([, key]) => key === keyOf(record));
    const [found] = at === -1 ? [] : free.splice(at, 1);
    return found === undefined
      ? { action: "create", record }
      : { action: "adopt", record, id: found[0] };
  });
}

/** Every step, in the order in which they are done. */
export function allSteps(plan: ImportPlan): readonly ImportStep[] {
  const { contacts, checks, maintenance, statusPages } = plan;
  return [
    ...contacts.map((step) => ({ kind: "contact", ...step }) as const),
    ...checks.map((step) => ({ kind: "check", ...step }) as const),
    ...maintenance.map((step) => ({ kind: "maintenance", ...step }) as const),
    ...statusPages.map((step) => ({ kind: "statuspage", ...step }) as const),
  ];
}

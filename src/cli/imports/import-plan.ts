import { z } from "zod";

import { parseResponse } from "../api-client.ts";
import type { ApiClient } from "../api-client.ts";
import { readHistories } from "./history/send-history.ts";
import type { Histories } from "./history/send-history.ts";
import type {
  Imported,
  ImportedCheck,
  ImportedContact,
  ImportedMaintenance,
  ImportedStatusPage,
} from "./imported.ts";

/** What is done with a record: `adopt` marks one that is there already, and was not imported. */
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
  /** What checks have of the history of other systems. */
  readonly histories: Histories;
}

const marks = z.object({
  checks: z.record(z.string(), z.string()),
  contacts: z.record(z.string(), z.string()),
  maintenance: z.record(z.string(), z.string()),
  // Installations before it was there have none.
  statuspages: z.record(z.string(), z.string()).default({}),
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
  const marked = parseResponse(marks, await api("GET", "imports", { origin }));
  const checks = parseResponse(listedChecks, await api("GET", "checks"));
  const contacts = parseResponse(z.record(z.string(), named), await api("GET", "contacts"));
  const { statusPages = [] } = imported;
  const pages =
    statusPages.length === 0
      ? {}
      : parseResponse(z.record(z.string(), named), await api("GET", "statuspages"));
  const listed = await api("GET", "maintenance");
  const schedules = z.object({ schedules: z.record(z.string(), named) }).safeParse(listed);
  const maintenance = schedules.success
    ? schedules.data.schedules
    : parseResponse(z.record(z.string(), named), listed);
  return {
    absent: imported.absent,
    histories: await readHistories(api),
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
    /** What records are called, by their ids here. */
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

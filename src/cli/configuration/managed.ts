import { createHmac } from "node:crypto";

import { z } from "zod";

import { parseResponse, type ApiClient } from "../api-client.ts";
import type { DeclaredRecord } from "./declaration.ts";
import { sortedJson } from "./declare.ts";
import type { Remembered } from "./find-records.ts";

/** Managed configurations stored for an account. */
export interface Managed {
  /** Undefined until something of it is remembered. */
  readonly id: string | undefined;
  readonly records: Remembered;
  /** The key for digests of records with secrets; undefined until the installation has given it, and where the token may only read. */
  readonly digestKey: string | undefined;
  /** The names of the other configurations that records belong to, by section and id. */
  readonly others: ReadonlyMap<string, string>;
}

export const nothingManaged: Managed = {
  id: undefined,
  records: {},
  digestKey: undefined,
  others: new Map(),
};

const remembered = z.record(z.string(), z.object({ id: z.string(), digest: z.string() }));
const listed = z.record(z.string(), z.object({ name: z.string() }));
const one = z.object({
  _id: z.string(),
  records: remembered,
  digestkey: z.string().optional(),
});

export async function readManaged(
  api: ApiClient,
  accountId: string,
  name: string,
): Promise<Managed> {
  const all = parseResponse(listed, await api("GET", "configurations", { customerid: accountId }));
  const others = new Map<string, string>();
  let own: Omit<Managed, "others"> = nothingManaged;
  for (const [id, { name: each }] of Object.entries(all)) {
    const { records, digestkey: digestKey } = parseResponse(
      one,
      await api("GET", `configurations/${encodeURIComponent(id)}`, { customerid: accountId }),
    );
    if (each === name && own.id === undefined) own = { id, records, digestKey };
    else
      for (const [key, record] of Object.entries(records))
        others.set(`${sectionOf(key)} ${record.id}`, each);
  }
  return { ...own, others };
}

export function sectionOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

/**
 * Returns a digest for comparing a record with its applied version. Includes secrets, so that a new secret counts as a change; undefined if that needs an
 * unknown key.
 */
export function digestOf(
  { textDigest, secretMembers, values }: DeclaredRecord,
  digestKey: string | undefined,
): string | undefined {
  if (secretMembers.size === 0) return textDigest;
  if (digestKey === undefined) return undefined;
  const text = `${textDigest} ${sortedJson(values)}`;
  return createHmac("sha256", digestKey).update(text).digest("hex");
}

/** The id of a record and what the files say of it; null for one that is managed no more. */
export type ManagedChange = { readonly id: string; readonly record: DeclaredRecord } | null;

/** Writes down what a configuration has made, some of it at a time. */
export interface Ledger {
  readonly note: (key: string, change: ManagedChange) => Promise<void>;
  /** Writes what is noted, so that nothing of it is forgotten. */
  readonly flush: () => Promise<void>;
}

/** As many as one request takes, and as few as a kill may leave to be found by name. */
const MAX_NOTED = 100;

export function createLedger(
  api: ApiClient,
  {
    accountId,
    name,
    known,
  }: { readonly accountId: string; readonly name: string; readonly known: Managed },
): Ledger {
  let noted = new Map<string, ManagedChange>();
  let { id, digestKey } = known;
  const isKnown = (key: string, change: ManagedChange): boolean => {
    const before = known.records[key];
    if (change === null || before === undefined) return change === null && before === undefined;
    return change.id === before.id && digestOf(change.record, known.digestKey) === before.digest;
  };
  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const changes = [...noted];
    noted = new Map();
    if (id === undefined)
      ({ _id: id, digestkey: digestKey } = parseResponse(
        one,
        await api("POST", "configurations", { customerid: accountId, name }),
      ));
    const records = Object.fromEntries(
      changes.map(([key, change]) => [key, change === null ? null : remember(change, digestKey)]),
    );
    await api("PUT", "configurations", { customerid: accountId, id, records });
  };
  return {
    async note(key, change) {
      if (!isKnown(key, change)) noted.set(key, change);
      if (noted.size >= MAX_NOTED) await flush();
    },
    flush,
  };
}

/** An installation of an earlier version gives no key. */
function remember(
  { id, record }: NonNullable<ManagedChange>,
  digestKey: string | undefined,
): Remembered[string] {
  return { id, digest: digestOf(record, digestKey) ?? record.textDigest };
}

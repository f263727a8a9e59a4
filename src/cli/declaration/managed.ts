import { z } from "zod";

import { parseResponse } from "../api-client.ts";
import type { ApiClient } from "../api-client.ts";
import type { Remembered } from "./find-records.ts";

/** What an installation remembers of the configurations of an account. */
export interface Managed {
  /** Undefined until something of it is remembered. */
  readonly id: string | undefined;
  readonly records: Remembered;
  /** The names of the other configurations that records belong to, by section and id. */
  readonly others: ReadonlyMap<string, string>;
}

export const nothingManaged: Managed = { id: undefined, records: {}, others: new Map() };

const remembered = z.record(z.string(), z.object({ id: z.string(), digest: z.string() }));
const listed = z.record(z.string(), z.object({ name: z.string() }));
const one = z.object({ _id: z.string(), records: remembered });

export async function readManaged(
  api: ApiClient,
  accountId: string,
  name: string,
): Promise<Managed> {
  const all = parseResponse(listed, await api("GET", "configurations", { customerid: accountId }));
  const others = new Map<string, string>();
  let own: Pick<Managed, "id" | "records"> = { id: undefined, records: {} };
  for (const [id, { name: each }] of Object.entries(all)) {
    const { records } = parseResponse(
      one,
      await api("GET", `configurations/${encodeURIComponent(id)}`, { customerid: accountId }),
    );
    if (each === name && own.id === undefined) own = { id, records };
    else
      for (const [key, record] of Object.entries(records))
        others.set(`${sectionOf(key)} ${record.id}`, each);
  }
  return { ...own, others };
}

export function sectionOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

export type Change = Remembered[string] | null;

/** Writes down what a configuration has made, some of it at a time. */
export interface Ledger {
  readonly note: (key: string, change: Change) => Promise<void>;
  /** Writes what is noted, so that nothing of it is forgotten. */
  readonly flush: () => Promise<void>;
}

/** As many as one request takes, and as few as a kill may leave to be found by name. */
const MOST_NOTED = 100;

export function createLedger(
  api: ApiClient,
  {
    accountId,
    name,
    known,
  }: { readonly accountId: string; readonly name: string; readonly known: Managed },
): Ledger {
  let noted = new Map<string, Change>();
  let { id } = known;
  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const records = Object.fromEntries(noted);
    noted = new Map();
    id ??= parseResponse(
      one,
      await api("POST", "configurations", { customerid: accountId, name }),
    )._id;
    await api("PUT", "configurations", { customerid: accountId, id, records });
  };
  return {
    async note(key, change) {
      const before = known.records[key];
      const isSame =
        change === null
          ? before === undefined
          : before?.id === change.id && before.digest === change.digest;
      if (!isSame) noted.set(key, change);
      if (noted.size >= MOST_NOTED) await flush();
    },
    flush,
  };
}

import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { Invalidation } from "../../../domain/change.ts";
import type { Clock } from "../../../kit/clock.ts";
import { etagOf } from "../../../kit/http/etag.ts";
import type { PublicDocument } from "../public-document.ts";

/** The better one first. */
export const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

/** A document as it is sent, with the forms of it that were asked for. */
export interface KeptDocument {
  readonly document: PublicDocument;
  readonly etag: string;
  readonly encoded: (encoding: Encoding) => Promise<Buffer>;
}

/** A document with the account whose changes may change it; undefined where there is nothing to show. */
export type MadeDocument =
  | { readonly accountId: string; readonly document: PublicDocument }
  | undefined;

/** How to make a document. */
export interface DocumentPlan {
  /** Names everything that the document depends on but time and what is stored. */
  readonly key: string;
  readonly make: () => Promise<MadeDocument>;
}

export interface KeptDocuments {
  /** Undefined where there is nothing to show. */
  readonly get: (plan: DocumentPlan) => Promise<KeptDocument | undefined>;
  readonly forget: (change: Invalidation) => void;
}

interface Entry {
  readonly accountId: string;
  readonly kept: KeptDocument;
  readonly madeAt: number;
}

/** However many ask, a document is made once in so many ms. */
const FRESH_MS = 10_000;
/** Where a new one cannot be made, for the store cannot be read, this old one is better than none. */
const MOST_AGE_MS = 15 * 60_000;
const MOST_ENTRIES = 500;
const MOST_BYTES = 32 * 2 ** 20;
/** Of 11: more takes ten times as long for a twentieth less. */
const BROTLI_QUALITY = 6;

const compress = {
  br: (body: Buffer): Promise<Buffer> =>
    promisify<Buffer, object, Buffer>(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** Keeps documents for everybody who asks, the last that were asked for. */
export function createKeptDocuments(clock: Pick<Clock, "monotonic">): KeptDocuments {
  const entries = new Map<string, Entry>();
  const making = new Map<string, Promise<KeptDocument | undefined>>();
  let bytes = 0;
  let changes = 0;

  const drop = (key: string): void => {
    bytes -= sizeOf(entries.get(key));
    entries.delete(key);
  };
  const keep = (key: string, entry: Entry): void => {
    drop(key);
    entries.set(key, entry);
    bytes += sizeOf(entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= MOST_ENTRIES && bytes <= MOST_BYTES) break;
      drop(oldest);
    }
  };
  const makeAnew = async ({ key, make }: DocumentPlan): Promise<KeptDocument | undefined> => {
    const before = changes;
    const made = await make();
    if (made === undefined) {
      drop(key);
      return undefined;
    }
    const { accountId, document } = made;
    const known = entries.get(key)?.kept;
    const etag = etagOf(document.body);
    const isSame =
      known?.etag === etag &&
      JSON.stringify(known.document.headers) === JSON.stringify(document.headers);
    const kept = isSame ? known : keptOf(document, etag);
    // What was read before a change, and arrives after it, may show what it took away.
    if (before === changes) keep(key, { accountId, kept, madeAt: clock.monotonic() });
    return kept;
  };

  return {
    async get(plan) {
      const { key } = plan;
      const known = entries.get(key);
      const ageMs = clock.monotonic() - (known?.madeAt ?? -Infinity);
      if (known !== undefined && ageMs < FRESH_MS) return known.kept;
      const work = making.get(key) ?? makeAnew(plan).finally(() => making.delete(key));
      making.set(key, work);
      try {
        return await work;
      } catch (error) {
        const old = entries.get(key);
        if (old === undefined || clock.monotonic() - old.madeAt > MOST_AGE_MS) throw error;
        return old.kept;
      }
    },
    forget(change) {
      changes += 1;
      making.clear();
      for (const [key, { accountId }] of entries)
        if (change === "everything" || accountId === change.accountId) drop(key);
    },
  };
}

function keptOf(document: PublicDocument, etag: string): KeptDocument {
  const body = Buffer.from(document.body);
  const forms = new Map<Encoding, Promise<Buffer>>();
  return {
    document: { ...document, body },
    etag,
    encoded(encoding) {
      const form = forms.get(encoding) ?? compress[encoding](body);
      forms.set(encoding, form);
      return form;
    },
  };
}

/** With what its compressed forms may take. */
function sizeOf(entry: Entry | undefined): number {
  return entry === undefined ? 0 : 2 * entry.kept.document.body.length;
}

import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { LRUCache } from "lru-cache";

import type { Invalidation } from "../domain/change.ts";
import type { Clock } from "../kit/clock.ts";
import { etagOf } from "../kit/http/etag.ts";
import type { PublicDocument } from "./public-document.ts";
import type { Outdated } from "./outdated.ts";
import { MAX_AGE_MS, withTimeout } from "./with-timeout.ts";

/** The better one first. */
export const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

/** A document as it is sent, with the forms of it that were asked for. */
export interface CachedDocument {
  readonly document: PublicDocument;
  readonly etag: string;
  readonly encoded: (encoding: Encoding) => Promise<Buffer>;
}

/** Data from which a document is rendered, with the account whose changes affect it; undefined if there is nothing to show. */
export type RenderableDocument =
  | {
      readonly accountId: string;
      /** The same as it was read, or with its age where that may be another by now. */
      readonly show: (outdated: Outdated | undefined) => PublicDocument;
      /** About how many bytes `show` holds. */
      readonly weight?: number;
    }
  | undefined;

/** How to make a document. */
export interface DocumentPlan {
  /** Names everything that the document depends on but time and what is stored. */
  readonly key: string;
  readonly make: () => Promise<RenderableDocument>;
}

export interface DocumentCache {
  /** Undefined if there is nothing to show. */
  readonly get: (plan: DocumentPlan) => Promise<CachedDocument | undefined>;
  readonly forget: (change: Invalidation) => void;
}

export interface DocumentCacheDeps {
  readonly clock: Clock;
  /** Since when the store commits nothing, on the monotonic clock: what is read of it may be as old. Undefined while it does. */
  readonly stoppedSince: () => number | undefined;
}

interface Entry {
  readonly made: NonNullable<RenderableDocument>;
  readonly kept: CachedDocument;
  readonly keptAt: number;
  /** When what it says was true. */
  readonly asOf: number;
}

/** Minimum interval between renderings of a document, however many requests there are. */
const FRESH_MS = 10_000;
/** Age from which a document shows that it is outdated. */
const CURRENT_MS = 30_000;
const MAX_ENTRIES = 500;
const MAX_BYTES = 32 * 2 ** 20;
/** Brotli quality, of 11: a higher one takes ten times as long and saves a twentieth. */
const BROTLI_QUALITY = 6;

const compress = {
  br: (body: Buffer): Promise<Buffer> =>
    promisify<Buffer, object, Buffer>(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** Keeps documents for everybody who asks, the last that were asked for. */
export function createDocumentCache({ clock, stoppedSince }: DocumentCacheDeps): DocumentCache {
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
  });
  const making = new Map<string, Promise<CachedDocument | undefined>>();
  let changes = 0;

  const entryOf = (key: string, made: NonNullable<RenderableDocument>, asOf: number): Entry => {
    const outdated = outdatedSince(clock, asOf);
    const document = withDate(made.show(outdated), outdated);
    const kept = keptOf(document, entries.get(key)?.kept);
    return { made, kept, keptAt: clock.monotonic(), asOf };
  };
  const makeAnew = async ({ key, make }: DocumentPlan): Promise<CachedDocument | undefined> => {
    const before = changes;
    const beganAt = clock.monotonic();
    const made = await make();
    if (made === undefined) {
      entries.delete(key);
      return undefined;
    }
    const entry = entryOf(key, made, stoppedSince() ?? beganAt);
    // What was read before a change, and arrives after it, may show what it took away.
    // guard: what changed while a page was made = then
    if (before === changes) entries.set(key, entry);
    return entry.kept;
  };
  const makeOnce = (plan: DocumentPlan): Promise<CachedDocument | undefined> => {
    const { key } = plan;
    const work = makeAnew(plan).finally(() => {
      if (making.get(key) === work) making.delete(key);
    });
    making.set(key, work);
    return work;
  };

  return {
    async get(plan) {
      const { key } = plan;
      const known = entries.get(key);
      if (known !== undefined && clock.monotonic() - known.keptAt < FRESH_MS) return known.kept;
      const work = making.get(key) ?? makeOnce(plan);
      try {
        return await (known === undefined ? work : withTimeout(work, clock));
      } catch (error) {
        const old = entries.get(key);
        if (old === undefined || clock.monotonic() - old.asOf > MAX_AGE_MS) throw error;
        const entry = entryOf(key, old.made, old.asOf);
        entries.set(key, entry);
        return entry.kept;
      }
    },
    forget(change) {
      changes += 1;
      making.clear();
      for (const [key, { made }] of entries)
        if (change === "everything" || made.accountId === change.accountId) entries.delete(key);
    },
  };
}

/** In bytes, with what its compressed forms may take; 1 at least, because the cache takes no 0. */
function sizeOf({ kept, made }: Entry): number {
  return Math.max(1, 2 * kept.document.body.length + (made.weight ?? 0));
}

function outdatedSince(
  clock: Pick<Clock, "now" | "monotonic">,
  asOf: number,
): Outdated | undefined {
  const ageMs = clock.monotonic() - asOf;
  return ageMs < /* guard: age of what is shown = Infinity */ CURRENT_MS
    ? undefined
    : { since: clock.now() - ageMs, ageMs };
}

function withDate(document: PublicDocument, outdated: Outdated | undefined): PublicDocument {
  if (outdated === undefined) return document;
  const lastModified = new Date(outdated.since).toUTCString();
  return { ...document, headers: { ...document.headers, "last-modified": lastModified } };
}

/** The one that was known where the new one is the same, with its compressed forms. */
function keptOf(document: PublicDocument, known: CachedDocument | undefined): CachedDocument {
  const etag = etagOf(document.body);
  const isSame =
    known?.etag === etag &&
    JSON.stringify(known.document.headers) === JSON.stringify(document.headers);
  if (isSame) return known;
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

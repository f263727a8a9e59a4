import type { Clock } from "../kit/clock.ts";
import type { ChangeReads } from "./changes.ts";
import type { Reads } from "./store.ts";
import type { TokenCaller } from "./tables/accounts.ts";
import type { CheckRecord } from "./tables/checks.ts";

/** Keeps what was read last, until something is written that may have changed it, and for some seconds at most. */
export interface ReadCache<Value extends object> {
  /** Returns the cached value of the key, or reads it. Missing values are not cached. */
  readonly read: (
    key: string,
    load: () => Promise<Value | undefined>,
  ) => Promise<Value | undefined>;
  /** Called in the same turn as a commit, before any other code can read. */
  readonly clear: () => void;
}

const MAX_ENTRIES = 5000;

/** Whatever another process changed, a token that it revoked say, is seen after that. */
const MAX_AGE_MS = 5000;

/** A read from memory takes a hundredth of the time of one from the database. */
export function createReadCache<Value extends object>(
  clock: Pick<Clock, "monotonic">,
): ReadCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly readAt: number }>();
  let writes = 0;
  return {
    async read(key, load) {
      const readAt = clock.monotonic();
      const known = entries.get(key);
      if (known !== undefined && readAt - known.readAt < MAX_AGE_MS) return known.value;
      const before = writes;
      const value = await load();
      // A read that started before a write and ends after it may be stale.
      if (value === undefined || before !== writes) return value;
      if (entries.size >= MAX_ENTRIES) entries.clear();
      entries.set(key, { value, readAt });
      return value;
    },
    clear() {
      writes += 1;
      entries.clear();
    },
  };
}

/** Remembers whom a token belongs to, and checks that are read over and over. */
export function withCaches(
  reads: Reads,
  { feed, clock }: { readonly feed: ChangeReads; readonly clock: Pick<Clock, "monotonic"> },
): { readonly reads: Reads; readonly clear: () => void } {
  const callers = createReadCache<TokenCaller>(clock);
  const records = createReadCache<CheckRecord>(clock);
  const clear = (): void => {
    callers.clear();
    records.clear();
  };
  feed.subscribe(clear);
  return {
    clear,
    reads: {
      ...reads,
      accounts: {
        ...reads.accounts,
        findByToken: (digest) => callers.read(digest, () => reads.accounts.findByToken(digest)),
      },
      checks: {
        ...reads.checks,
        find: (accountId, id) =>
          records.read(`${accountId} ${id}`, () => reads.checks.find(accountId, id)),
      },
    },
  };
}

import type { Clock } from "../kit/clock.ts";
import type { TokenCaller } from "./accounts.ts";
import type { ChangeReads } from "./changes.ts";
import type { CheckRecord } from "./checks.ts";
import type { Reads } from "./store.ts";
import { createReadCache } from "./read-cache.ts";

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

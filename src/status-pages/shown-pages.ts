import type { Invalidation } from "../domain/change.ts";
import type { StatusPage } from "../domain/status/status-page.ts";
import type { Clock } from "../kit/clock.ts";
import type { PageName, StatusPageReads } from "../store/status/status-pages.ts";
import { MOST_AGE_MS, withTimeout } from "./with-timeout.ts";

/** Pages by the names that strangers use: read once for all who ask within some seconds. */
export interface ShownPages {
  readonly find: (name: PageName) => Promise<StatusPage | undefined>;
  readonly forget: (change: Invalidation) => void;
}

interface Entry {
  readonly page: StatusPage;
  readonly readAt: number;
}

const FRESH_MS = 10_000;
const MOST_ENTRIES = 1000;

export function createShownPages(
  pages: Pick<StatusPageReads, "findShown">,
  clock: Clock,
): ShownPages {
  const entries = new Map<string, Entry>();
  let changes = 0;
  return {
    async find(name) {
      const key = JSON.stringify(name);
      const known = entries.get(key);
      const ageMs = clock.monotonic() - (known?.readAt ?? -Infinity);
      if (known !== undefined && ageMs < FRESH_MS) return known.page;
      const before = changes;
      try {
        const reading = pages.findShown(name);
        const page = await (known === undefined ? reading : withTimeout(reading, clock));
        entries.delete(key);
        if (page === undefined || before !== changes) return page;
        if (entries.size >= MOST_ENTRIES) entries.clear();
        entries.set(key, { page, readAt: clock.monotonic() });
        return page;
      } catch (error) {
        if (known === undefined || clock.monotonic() - known.readAt > MOST_AGE_MS) throw error;
        return known.page;
      }
    },
    forget(change) {
      changes += 1;
      for (const [key, { page }] of entries)
        if (change === "everything" || page.accountId === change.accountId) entries.delete(key);
    },
  };
}

import type { HandledOutage, WatchedCheck } from "../../domain/status/page-outages.ts";
import type { StatusPage } from "../../domain/status/status-page.ts";

export type PageKey = Pick<StatusPage, "accountId" | "id">;

export interface PageOutageReads {
  /** The pages, of all active accounts, on which an outage may have something begin or end. */
  readonly listToFollow: () => Promise<readonly PageKey[]>;
  readonly handled: (pageId: string) => Promise<readonly HandledOutage[]>;
  /** How these checks of an account are, by id. */
  readonly watch: (
    accountId: string,
    checkIds: readonly string[],
  ) => Promise<ReadonlyMap<string, WatchedCheck>>;
}

export interface PageOutageWrites {
  /** Takes a page, and gives the time it is by the store's clock; until the unit ends no other follows its outages. Undefined where it is gone, or another unit has taken it. */
  readonly claim: (key: PageKey) => Promise<number | undefined>;
  readonly add: (pageId: string, outages: readonly HandledOutage[]) => Promise<void>;
  readonly remove: (pageId: string, checkIds: readonly string[]) => Promise<void>;
}

import type { StatusPage } from "../../domain/status/status-page.ts";
import type { PublicState } from "../../domain/status/public-check.ts";

/** What a page of another account, or of the same, has already. */
export type TakenName = "slug" | "domain";

/** How a page is found by strangers. */
export type PageName =
  | { readonly id: string }
  | { readonly slug: string }
  | { readonly domain: string };

/** What a page shows of a check. */
export interface ShownState {
  readonly id: string;
  readonly no: number;
  readonly uuid: string;
  readonly state: PublicState;
}

export interface StatusPageReads {
  readonly find: (accountId: string, id: string) => Promise<StatusPage | undefined>;
  /** Oldest first. */
  readonly list: (accountId: string) => Promise<readonly StatusPage[]>;
  /** Of any active account, where it is enabled. */
  readonly findShown: (name: PageName) => Promise<StatusPage | undefined>;
  /** Those of the checks that the account has, by id. */
  readonly shownStates: (
    accountId: string,
    checkIds: readonly string[],
  ) => Promise<ReadonlyMap<string, ShownState>>;
}

/** Whoever has a name first keeps it: then the unit writes nothing of the page, and is to end. */
export interface StatusPageWrites {
  /** The page, which no other unit changes until this one ends. */
  readonly lock: (accountId: string, id: string) => Promise<StatusPage | undefined>;
  readonly insert: (page: StatusPage) => Promise<TakenName | undefined>;
  readonly update: (page: StatusPage) => Promise<TakenName | undefined>;
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

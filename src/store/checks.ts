import type { Check, CheckState, RunningCheck } from "../domain/check.ts";
import type { FailingLocation } from "../domain/location.ts";
import type { CheckStatus } from "../domain/run/status.ts";
import type { State } from "../domain/run/verdict.ts";
import type { LocatedCertificate } from "./evidence.ts";
import type { Gap } from "./states.ts";

export interface CheckRecord {
  readonly check: Check;
  readonly state: CheckState;
  readonly openGap: Gap | undefined;
}

/** A check that is to run: switched on, of an active account. A controller keeps very many of them: nothing is in it that only people read. */
export interface ActiveCheck {
  readonly check: RunningCheck;
  readonly state: State | undefined;
  readonly failingLocations: readonly FailingLocation[];
  readonly openGap: Gap | undefined;
  /** The primary account that its account is, or belongs to: it shares what is scarce with others. */
  readonly primaryId: string;
  /** The check's own regions, or its account's. */
  readonly regions: readonly string[];
  /** Seconds between two rechecks: the check's own, or its account's. */
  readonly recheckWait: number;
  /** Since when it has been running without a break. */
  readonly activeSince: number;
  /** Of its latest result; undefined before its first. */
  readonly lastTick: number | undefined;
  /** When that began. */
  readonly lastStartedAt: number | undefined;
  /** The one that each location saw last. */
  readonly certificates: readonly LocatedCertificate[];
}

export interface CheckReads {
  readonly find: (accountId: string, id: string) => Promise<CheckRecord | undefined>;
  /** Of any account; for callers that authenticate with the check's own token. */
  readonly findById: (id: string) => Promise<CheckRecord | undefined>;
  /** By its `uuid`, which anybody may have; undefined where it is not public, or its account is not active. */
  readonly findPublic: (uuid: string) => Promise<CheckRecord | undefined>;
  /** All checks of an account, oldest first, a page at a time. */
  readonly list: (accountId: string) => AsyncIterable<readonly CheckRecord[]>;
  /** Of all accounts, types and shards, or of those given; a page at a time. */
  readonly listActive: (scope?: {
    readonly accountId?: string | undefined;
    readonly types?: readonly string[] | undefined;
    readonly shards?: readonly number[];
  }) => AsyncIterable<readonly ActiveCheck[]>;
  /** Numbers of those of the ids that a check of the account has, in their order. */
  readonly findNumbers: (
    accountId: string,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>;
  /** What lists show of the account's checks, or of some: oldest first, a page at a time. With the parameters of those types. */
  readonly listStatuses: (
    accountId: string,
    wanted: {
      readonly parametersOf?: readonly string[];
      readonly nos?: readonly number[] | undefined;
      readonly ids?: readonly string[] | undefined;
    },
  ) => AsyncIterable<readonly CheckStatus[]>;
  /** Those of the ids that no check of the account has. */
  readonly missingIds: (accountId: string, ids: readonly string[]) => Promise<readonly string[]>;
  /** The id, those of the checks that it depends on, and so on; at most so many. One that is missing ends the list, and is not in it. */
  readonly dependencyChain: (
    accountId: string,
    id: string,
    most: number,
  ) => Promise<readonly string[]>;
  /** How many levels of checks depend on it, counted up to so many. */
  readonly levelsOfDependents: (accountId: string, id: string, most: number) => Promise<number>;
  /** Undefined also where it is of none of the types. */
  readonly findActive: (no: number, types?: readonly string[]) => Promise<ActiveCheck | undefined>;
  /** Numbers of the account's active checks. */
  readonly listActiveNumbers: (accountId: string) => Promise<readonly number[]>;
  /** How many checks of the account are disabled, by themselves or with all, and how many are not. */
  readonly countDisabled: (
    accountId: string,
  ) => Promise<{ readonly disabled: number; readonly enabled: number }>;
  /** Accounts of which a unit has switched some checks and left others: all, or the one given where it is among them. */
  readonly listSwitching: (accountId?: string) => Promise<readonly string[]>;
}

export interface CheckWrites {
  /** Gives the check its number. An enabled check begins its first span of enabled time. */
  readonly insert: (check: Omit<Check, "no">) => Promise<Check>;
  /**
   * Replaces what the store does not assign. A check that is no longer in maintenance is resumed. Switching on or off opens or
   * closes spans; switching off drops alerts that were not sent.
   */
  readonly update: (check: Check, at: number) => Promise<void>;
  readonly remove: (accountId: string, id: string, at: number) => Promise<boolean>;
  /**
   * Disables every check of the account that is on, or enables again those that this disabled. Gives their count. Of many checks
   * some are left to `switchSome`.
   */
  readonly disableAll: (accountId: string, disable: boolean, at: number) => Promise<number>;
  /** The same for some of them, at most a hundred. */
  readonly disable: (
    accountId: string,
    nos: readonly number[],
    change: { readonly disable: boolean; readonly at: number },
  ) => Promise<number>;
  /** Switches some of the checks that are left; whether there may be more. Records a change of the account with the last. */
  readonly switchSome: (accountId: string) => Promise<boolean>;
}

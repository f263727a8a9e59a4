import type { Result } from "../../../domain/run/result.ts";

/** Work for the next commit. */
export interface PendingUnit {
  /** Runs under a savepoint of its own; undefined where there is nothing but results. */
  readonly run: (() => Promise<void>) | undefined;
  /** Whose unit it is, where accounts share the time of commits; those of nobody in particular are in the next commit. */
  readonly accountId?: string | undefined;
  /** The check whose gap it closes, for units that run nothing. */
  readonly closesGapOf?: number | undefined;
  /** Results to be stored with it. */
  readonly results: readonly Result[];
  /** Whether its results are dropped while the disk is full, because they change nothing. */
  readonly isBulk?: boolean | undefined;
  /** Called once it is durable, also where it was refused by then because that took too long. */
  readonly committed?: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How the sentence begins that refuses what is certainly not stored. */
export const NOT_STORED = "cannot store anything now";
/** How it begins where the disk was asked to store it, and did not say that it has. */
export const MAY_BE_STORED = "this may be stored or not";

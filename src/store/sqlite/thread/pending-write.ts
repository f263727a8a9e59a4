import type { Result } from "../../../domain/run/result.ts";

/** Work for the next commit. */
export interface PendingWrite {
  /** Runs under its own savepoint; undefined if there are only results. */
  readonly run: (() => Promise<void>) | undefined;
  /** Account of the transaction, if accounts share commit time; transactions without one are in the next commit. */
  readonly accountId?: string | undefined;
  /** The check whose gap it closes, for units that run nothing. */
  readonly closesGapOf?: number | undefined;
  /** Results to be stored with it. */
  readonly results: readonly Result[];
  /** Whether its results are dropped while the disk is full, because they change nothing. */
  readonly isBulk?: boolean | undefined;
  /** Called once it is durable, even if it was refused meanwhile because of a timeout. */
  readonly committed?: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How the sentence begins that refuses what is certainly not stored. */
export const NOT_STORED = "cannot store anything now";
/** Start of the message if the disk did not confirm a write. */
export const MAY_BE_STORED = "this may be stored or not";

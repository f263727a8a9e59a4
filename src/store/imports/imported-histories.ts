import type { ImportedSpan } from "../../domain/imported-history.ts";

/** What of the history of a check was taken over from another system. */
export interface ImportedHistory {
  readonly checkNo: number;
  readonly accountId: string;
  /** The system, and which installation of it where there are several. */
  readonly origin: string;
  readonly start: number;
  readonly end: number;
  /** How many it has. */
  readonly spans: number;
  readonly createdAt: number;
}

export interface AccountHistory extends ImportedHistory {
  readonly checkId: string;
}

export interface ImportedHistoryReads {
  readonly find: (checkNo: number) => Promise<ImportedHistory | undefined>;
  /** Of an account, in the order of its checks. */
  readonly list: (accountId: string) => Promise<readonly AccountHistory[]>;
  /** How many spans an account has. */
  readonly countSpans: (accountId: string) => Promise<number>;
  /** Those that touch [from, to), by their starts. */
  readonly listSpans: (
    checkNo: number,
    range: readonly [from: number, to: number],
  ) => Promise<readonly ImportedSpan[]>;
  /** When the check began to know its own history. */
  readonly ownStart: (checkNo: number) => Promise<number | undefined>;
}

export interface ImportedHistoryWrites {
  /** Adds spans, and notes of what they are; one that begins where what was known ended continues the one of its kind. */
  readonly add: (
    history: Omit<ImportedHistory, "spans">,
    spans: readonly ImportedSpan[],
  ) => Promise<void>;
  readonly remove: (checkNo: number) => Promise<void>;
}

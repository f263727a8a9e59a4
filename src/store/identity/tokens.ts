import type { NewToken, Token } from "../../domain/account/token.ts";

export interface TokenReads {
  /** Of all accounts, by age. */
  readonly list: () => Promise<readonly Token[]>;
  /** Of one account, by age. */
  readonly listOf: (accountId: string) => Promise<readonly Token[]>;
}

export interface TokenWrites {
  readonly insert: (token: NewToken) => Promise<void>;
  readonly remove: (digest: string) => Promise<void>;
  /** Notes that a request carried the token, unless that is noted for a moment after `since` already. */
  readonly noteUse: (use: {
    readonly digest: string;
    readonly at: number;
    readonly since: number;
  }) => Promise<void>;
}

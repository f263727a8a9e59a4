import type { Token } from "../domain/account/token.ts";

export interface TokenReads {
  /** Of all accounts, by age. */
  readonly list: () => Promise<readonly Token[]>;
}

export interface TokenWrites {
  readonly insert: (token: Token) => Promise<void>;
  readonly remove: (digest: string) => Promise<void>;
}

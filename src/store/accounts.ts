import type { Account } from "../domain/account/account.ts";
import type { Token } from "../domain/account/token.ts";

export interface AccountSummary {
  readonly account: Account;
  readonly activeChecks: number;
}

/** The token that was sent, and whose it is. */
export interface TokenCaller {
  readonly account: Account;
  readonly token: Pick<Token, "digest" | "label" | "compatibility" | "access" | "expiresAt">;
}

export interface AccountReads {
  readonly find: (id: string) => Promise<Account | undefined>;
  /** The account and its subaccounts, the account itself first, the others by age; none that is deleted. */
  readonly listWithSubaccounts: (id: string) => Promise<readonly AccountSummary[]>;
  /** By age. */
  readonly listPrimary: () => Promise<readonly Account[]>;
  /** Whether any account exists: false only before the very first start. */
  readonly hasAny: () => Promise<boolean>;
  /** The account a token digest belongs to; also of a token whose end has come. */
  readonly findByToken: (digest: string) => Promise<TokenCaller | undefined>;
}

export interface AccountWrites {
  /** Whether no account exists yet; a second unit that asks waits for the end of the first. */
  readonly mayMakeFirst: () => Promise<boolean>;
  readonly insert: (account: Account) => Promise<void>;
  /** A changed status switches all checks of the account off or on; of many, some are left to `checks.switchSome`. */
  readonly update: (account: Account, at: number) => Promise<void>;
  /** Closes a subaccount at once, with its checks as `update` does. Its records are purged in the background, its own last. */
  readonly remove: (id: string, at: number) => Promise<void>;
}

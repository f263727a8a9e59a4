import type { Account } from "../domain/account.ts";

export interface AccountSummary {
  readonly account: Account;
  readonly activeChecks: number;
}

export interface AccountReads {
  readonly find: (id: string) => Promise<Account | undefined>;
  /** The account and its subaccounts, the account itself first, the others by age. */
  readonly family: (id: string) => Promise<readonly AccountSummary[]>;
  /** Whether any account exists: false only before the very first start. */
  readonly exists: () => Promise<boolean>;
  /** The account a token digest belongs to. */
  readonly ofToken: (digest: string) => Promise<Account | undefined>;
}

export interface AccountWrites {
  readonly insert: (account: Account) => Promise<void>;
  /** A changed status switches all checks of the account off or on. */
  readonly update: (account: Account, at: number) => Promise<void>;
  readonly addToken: (token: {
    readonly digest: string;
    readonly accountId: string;
    readonly label: string;
    readonly createdAt: number;
  }) => Promise<void>;
}

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

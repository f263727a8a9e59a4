import type { Account } from "../../domain/account/account.ts";
import type { AccountReads } from "../../store/accounts.ts";
import type { AlertWithAddress } from "./recipient.ts";
import { runStage } from "./run-stage.ts";
import type { StageResult } from "./run-stage.ts";

export interface AlertWithAccount extends AlertWithAddress {
  readonly account: Account;
}

/** Drops alerts of an account that is deleted, suspended, or suppresses all alerts. */
export function requireActiveAccount(
  items: readonly AlertWithAddress[],
  { accounts }: { readonly accounts: Pick<AccountReads, "find"> },
): Promise<StageResult<AlertWithAccount>> {
  return runStage(items, async (item) => {
    const account = await accounts.find(item.alert.accountId);
    if (account === undefined || account.status === "deleted") return "account_deleted";
    if (account.status === "suspended") return "account_suspended";
    return account.suppressAll ? "account_suppressed" : { ...item, account };
  });
}

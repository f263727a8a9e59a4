import type { Account } from "../../domain/account/account.ts";
import type { AlertWithAddress } from "./recipient.ts";
import { runStage, type StageResult } from "./run-stage.ts";
import type { Reads } from "../../store/store.ts";

export interface AlertWithAccount extends AlertWithAddress {
  readonly account: Account;
}

/** The store then holds it, where the account is still suspended. */
const HOLD_AFTER_MS = 1000;

/** Drops alerts of an account that is deleted, or suppresses all alerts; postpones those of one that is suspended. */
export function requireActiveAccount<Item extends AlertWithAddress>(
  items: readonly Item[],
  { accounts, now }: { readonly accounts: Pick<Reads["accounts"], "find">; readonly now: number },
): Promise<StageResult<Item & AlertWithAccount>> {
  return runStage<Item, Item & AlertWithAccount>(items, async (item) => {
    const account = await accounts.find(item.alert.accountId);
    if (account === undefined || account.status === "deleted") return "account_deleted";
    if (account.status === "suspended") return now + HOLD_AFTER_MS;
    return account.suppressAll ? "account_suppressed" : { ...item, account };
  });
}

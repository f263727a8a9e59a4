import type { Account } from "../../domain/account.ts";
import type { AccountReads } from "../../store/accounts.ts";
import type { Addressed } from "./recipient.ts";
import { sift } from "./sifted.ts";
import type { Sifted } from "./sifted.ts";

export interface Accounted extends Addressed {
  readonly account: Account;
}

/** Drops what belongs to an account that is gone, suspended, or wants silence. */
export function checkAccounts(
  items: readonly Addressed[],
  { accounts }: { readonly accounts: Pick<AccountReads, "find"> },
): Promise<Sifted<Accounted>> {
  return sift(items, async (item) => {
    const account = await accounts.find(item.alert.accountId);
    if (account === undefined || account.status === "deleted") return "account_deleted";
    if (account.status === "suspended") return "account_suspended";
    return account.suppressAll ? "account_suppressed" : { ...item, account };
  });
}

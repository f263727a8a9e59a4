import type { Account } from "../../../domain/account/account.ts";
import type { AccountReads } from "../../../store/accounts.ts";
import { accountForbidden } from "../../http/auth.ts";

/** Reads the account again: another request may have deleted it meanwhile. */
export async function currentAccount(accounts: AccountReads, id: string): Promise<Account> {
  const account = await accounts.find(id);
  if (account === undefined || account.status === "deleted") throw accountForbidden();
  return account;
}

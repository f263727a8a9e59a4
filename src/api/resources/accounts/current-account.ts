import type { Account } from "../../../domain/account/account.ts";
import { accountForbidden } from "../../http/auth.ts";
import type { Reads } from "../../../store/store.ts";

/** Reads the account again: another request may have deleted it meanwhile. */
export async function currentAccount(accounts: Reads["accounts"], id: string): Promise<Account> {
  const account = await accounts.find(id);
  if (account === undefined || account.status === "deleted") throw accountForbidden();
  return account;
}

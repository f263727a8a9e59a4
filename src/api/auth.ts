import type { Account } from "../domain/account.ts";
import { Forbidden, InvalidInput } from "../kit/errors.ts";
import { digest } from "../kit/seal.ts";
import type { AccountReads } from "../store/accounts.ts";
import type { Values } from "./params.ts";

/** Who asks, and the account the request is about: the asker's own or a subaccount of it. */
export interface Scope {
  readonly caller: Account;
  readonly account: Account;
}

/** Finds the account a token belongs to. The parameter wins over the user name of Basic authentication. */
export async function authenticate(
  accounts: AccountReads,
  token: unknown,
  authorization: string | undefined,
): Promise<Account> {
  const given = token ?? basicUserName(authorization);
  const caller = typeof given === "string" ? await accounts.ofToken(digest(given)) : undefined;
  if (caller === undefined) throw new Forbidden("Token not found");
  return caller;
}

/** Allows the caller's own account and its subaccounts. A stranger's account answers as one that does not exist. */
export async function scopeOf(
  accounts: AccountReads,
  caller: Account,
  { customerid }: Values,
): Promise<Scope> {
  if (customerid === undefined || customerid === caller.id) return { caller, account: caller };
  if (typeof customerid !== "string") throw new InvalidInput("customerid: must be one account id");
  const account = await accounts.find(customerid);
  if (account?.parentId !== caller.id)
    throw new Forbidden("You do not have the correct permissions for that account.");
  return { caller, account };
}

function basicUserName(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? "") ?? [];
  const [user] =
    encoded === undefined ? [] : Buffer.from(encoded, "base64").toString("utf8").split(":");
  return user === "" ? undefined : user;
}

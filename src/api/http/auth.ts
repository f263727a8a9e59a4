import type { Account } from "../../domain/account/account.ts";
import { Forbidden, InvalidInput } from "../../kit/errors.ts";
import type { AccountReads } from "../../store/accounts.ts";

/** The account whose token was sent, and the account that the request is about: the same, or a subaccount of it. */
export interface Scope {
  readonly caller: Account;
  readonly account: Account;
}

/** The token as it was given, which need not be text; undefined where there is none. The parameter takes precedence over the user name of Basic authentication. */
export function givenToken(parameter: unknown, authorization: string | undefined): unknown {
  return parameter ?? basicUserName(authorization);
}

/** Finds the account a token belongs to; undefined where there is none. */
export async function accountOf(
  accounts: AccountReads,
  digest: string,
): Promise<Account | undefined> {
  const caller = await accounts.findByToken(digest);
  return caller?.status === "deleted" ? undefined : caller;
}

/** Allows the caller's own account and its subaccounts. Any other account, or a deleted one, gets the same error as one that does not exist. */
export async function resolveScope(
  accounts: AccountReads,
  caller: Account,
  { customerid, allowsDeleted }: { readonly customerid: unknown; readonly allowsDeleted: boolean },
): Promise<Scope> {
  if (customerid === undefined || customerid === caller.id) return { caller, account: caller };
  if (typeof customerid !== "string") throw new InvalidInput("customerid: must be one account id");
  const account = await accounts.find(customerid);
  if (account?.parentId !== caller.id || (account.status === "deleted" && !allowsDeleted))
    throw accountForbidden();
  return { caller, account };
}

export function unknownToken(): Forbidden {
  return new Forbidden("Token not found");
}

export function accountForbidden(): Forbidden {
  return new Forbidden("You do not have the correct permissions for that account.");
}

function basicUserName(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? "") ?? [];
  const [user] =
    encoded === undefined ? [] : Buffer.from(encoded, "base64").toString("utf8").split(":");
  return user === "" ? undefined : user;
}

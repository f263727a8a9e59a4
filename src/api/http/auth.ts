import type { Account } from "../../domain/account/account.ts";
import { Forbidden, InvalidInput } from "../../kit/errors.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { AccountReads } from "../../store/accounts.ts";

/** The account whose token was sent, and the account that the request is about: the same, or a subaccount of it. */
export interface Scope {
  readonly caller: Account;
  readonly account: Account;
}

/** The digest under which the token of a request is stored. The parameter takes precedence over the user name of Basic authentication. */
export function tokenDigest(token: unknown, authorization: string | undefined): string {
  const given = token ?? basicUserName(authorization);
  if (typeof given !== "string") throw unknownToken();
  return hashToken(given);
}

/** Finds the account a token belongs to. */
export async function authenticate(accounts: AccountReads, digest: string): Promise<Account> {
  const caller = await accounts.findByToken(digest);
  if (caller === undefined || caller.status === "deleted") throw unknownToken();
  return caller;
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

function unknownToken(): Forbidden {
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

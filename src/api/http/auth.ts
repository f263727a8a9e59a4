import { includesAccess, type Access } from "../../domain/account/access.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Actor } from "../../domain/account/actor.ts";
import { handleOf, type CompatibilityMode } from "../../domain/account/token.ts";
import { Forbidden, InvalidInput } from "../../kit/errors.ts";
import type { Reads, Store } from "../../store/store.ts";
import type { Quota } from "../quota.ts";

/** Holders of mail links send no requests to the API. */
type RequestActor = Actor & { readonly kind: "token" | "session" };

/** Sender of a request. */
export interface Caller {
  readonly account: Account;
  /** How the request is answered. */
  readonly compatibility: CompatibilityMode;
  /** Access of the caller in the account and its subaccounts. */
  readonly access: Access;
  readonly actor: RequestActor;
}

/** The account of the caller, and the account that the request is about: the same, or a subaccount of it. */
export interface Scope {
  readonly caller: Account;
  readonly account: Account;
  readonly compatibility: CompatibilityMode;
  readonly access: Access;
  readonly actor: RequestActor;
}

/** The writes of a request. Each is of the account that shares the time of commits, and the first that changes anything says in the audit log who did. */
export interface RequestWrites {
  readonly write: Store["write"];
  /** Throws Forbidden, and stores nothing, where a limit of the account would be exceeded. */
  readonly writeWithinLimits: Quota["write"];
}

/** A request as the handler of an operation knows it. */
export interface Call extends Scope, RequestWrites {
  /** The method, or the operation that was named in its place. */
  readonly action: string;
  /** Adds a warning to the response about something without effect; `grave` if something will not work, or alerts nobody. */
  readonly warn: (sentence: string, weight?: "grave") => void;
  /** Names the record that is changed, where the request does not, for the audit log. */
  readonly about: (id: string) => void;
  /** Whether the sender still has this access, for a response that stays open. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/**
 * Returns the token as sent, which need not be text; undefined if there is none. The parameter takes precedence over the header `Authorization`: its Bearer
 * token (RFC 6750, section 2.1), or the user name of Basic authentication.
 */
export function tokenInRequest(parameter: unknown, authorization: string | undefined): unknown {
  return parameter ?? bearerToken(authorization) ?? basicUserName(authorization);
}

/** Finds the account of a token; undefined if the account does not exist or the token has expired. */
export async function callerOf(
  accounts: Reads["accounts"],
  digest: string,
  now: number,
): Promise<Caller | undefined> {
  const found = await accounts.findByToken(digest);
  if (found === undefined || found.account.status === "deleted") return undefined;
  const { account, token } = found;
  // guard: end of tokens
  if (token.expiresAt !== undefined && token.expiresAt <= now) return undefined;
  const access = token.access === "read" ? "view" : "owner";
  const actor = {
    kind: "token",
    id: handleOf(token),
    name: token.label,
    contactId: undefined,
  } as const;
  return { account, compatibility: token.compatibility, access, actor };
}

/** Refuses a caller that may not do as much. */
export function assertAccess({ access }: Pick<Scope, "access">, needed: Access): void {
  if (includesAccess(access, needed)) return;
  throw new Forbidden(`not allowed with access to ${access}: it needs ${needed}`);
}

/** Allows the caller's own account and its subaccounts. Any other account, or a deleted one, gets the same error as one that does not exist. */
export async function resolveScope(
  accounts: Reads["accounts"],
  { account: caller, ...rest }: Caller,
  { customerid, allowsDeleted }: { readonly customerid: unknown; readonly allowsDeleted: boolean },
): Promise<Scope> {
  if (customerid === undefined || customerid === caller.id)
    return { ...rest, caller, account: caller };
  if (typeof customerid !== "string") throw new InvalidInput("customerid: must be one account id");
  const account = await accounts.find(customerid);
  // guard: accounts of others = account === undefined
  if (account?.parentId !== caller.id || (account.status === "deleted" && !allowsDeleted))
    throw accountForbidden();
  return { ...rest, caller, account };
}

/** Returns the error for an invalid token. */
export function unknownToken(token: unknown): Forbidden {
  return new Forbidden(
    token === undefined
      ? "token: required, as a parameter, as Authorization: Bearer, or as the user name of Basic"
      : "Token not found",
  );
}

export function accountForbidden(): Forbidden {
  return new Forbidden("You do not have the correct permissions for that account.");
}

function bearerToken(authorization: string | undefined): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return token;
}

function basicUserName(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? "") ?? [];
  const [user] =
    encoded === undefined ? [] : Buffer.from(encoded, "base64").toString("utf8").split(":");
  return user === "" ? undefined : user;
}

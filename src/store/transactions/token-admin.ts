import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Account } from "../../domain/account/account.ts";
import {
  handleOf,
  isHandle,
  isTokenLabel,
  maxTokenLabelLength,
  matchHandle,
  type CompatibilityMode,
  type NewToken,
  type Token,
  type TokenAccess,
} from "../../domain/account/token.ts";
import type { Clock } from "../../kit/clock.ts";
import { Conflict, InvalidInput, NotFound } from "../../kit/errors.ts";
import type { Ids } from "../../kit/ids.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Reads, Store } from "../store.ts";
import { namedAccount } from "./named-account.ts";

export interface ListedToken extends Pick<Token, "label" | "createdAt" | "compatibility"> {
  readonly handle: string;
  readonly access: TokenAccess;
  readonly expiresAt?: number | undefined;
  readonly usedAt?: number | undefined;
  readonly accountId: string;
  readonly accountName: string;
}

/** Operator's administration of API tokens. */
export interface TokenAdmin {
  /** Without an account for the one there is. The token is shown this once. */
  readonly create: (wish: {
    readonly accountId?: string | undefined;
    readonly label: string;
    /** Defaults to the mode of the installation. */
    readonly compatibility?: CompatibilityMode | undefined;
    readonly access?: TokenAccess | undefined;
    /** Without it the token has no end. */
    readonly days?: number | undefined;
  }) => Promise<ListedToken & { readonly token: string }>;
  readonly list: () => Promise<readonly ListedToken[]>;
  readonly revoke: (wish: {
    readonly handle: string;
    /** Whether an account may be left without a token. */
    readonly force: boolean;
  }) => Promise<ListedToken>;
}

const DAY_MS = 86_400_000;
/** Ten years: who wants more wants no end. */
const MAX_DAYS = 3650;

interface Deps {
  readonly store: Pick<Store, "write" | "tokens" | "accounts">;
  readonly ids: Pick<Ids, "token">;
  readonly clock: Pick<Clock, "now">;
  /** Default compatibility mode of tokens. */
  readonly compatibility: CompatibilityMode;
}

export function createTokenAdmin({ store, ids, clock, ...defaults }: Deps): TokenAdmin {
  return {
    create: async ({ accountId, label, compatibility, access = "write", days }) =>
      store.write(async (tx) => {
        if (!isTokenLabel(label))
          throw new InvalidInput(`label: must be 1 to ${maxTokenLabelLength} printable characters`);
        if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
          throw new InvalidInput(`days: must be a whole number from 1 to ${MAX_DAYS}`);
        const account = await bearerOf(tx, accountId);
        const token = ids.token();
        const createdAt = clock.now();
        const kept = {
          digest: hashToken(token),
          accountId: account.id,
          label,
          createdAt,
          compatibility: compatibility ?? defaults.compatibility,
          access,
          expiresAt: days === undefined ? undefined : createdAt + days * DAY_MS,
        };
        await tx.tokens.insert(kept);
        await tx.audit.insert(entryOf(kept, { operation: "POST tokens", at: createdAt }));
        return { ...listed(kept, account), token };
      }),
    list: async () => Promise.all((await store.tokens.list()).map((token) => named(store, token))),
    revoke: async ({ handle, force }) =>
      store.write(async (tx) => {
        const all = await tx.tokens.list();
        const token = theOne(all, handle);
        const isLast = all.every(
          ({ accountId, digest }) => accountId !== token.accountId || digest === token.digest,
        );
        if (isLast && !force)
          throw new Conflict(
            "force: needed for the last token of an account, for nobody could call its API any more",
          );
        await tx.tokens.remove(token.digest);
        await tx.audit.insert(entryOf(token, { operation: "DELETE tokens", at: clock.now() }));
        return named(tx, token);
      }),
  };
}

/** Creates the audit entry of an operator's action on a token. */
function entryOf(
  token: Pick<Token, "digest" | "accountId">,
  done: Pick<AuditEntry, "operation" | "at">,
): AuditEntry {
  const { accountId } = token;
  const nobody = { actor: undefined, client: "" };
  return { ...done, ...nobody, accountId, recordId: handleOf(token), fields: [] };
}

/** The account a new token is for. */
async function bearerOf(tx: Pick<Reads, "accounts">, accountId?: string): Promise<Account> {
  const account = await namedAccount(tx, accountId);
  if (account.parentId !== undefined)
    throw new InvalidInput(
      `account: a subaccount has no tokens of its own, those of ${account.parentId} reach it`,
    );
  return account;
}

function theOne(all: readonly Token[], handle: string): Token {
  if (!isHandle(handle))
    throw new InvalidInput(
      `handle: must be 4 or more hex digits as the list shows them, not ${JSON.stringify(handle)}`,
    );
  const [token, ...others] = matchHandle(all, handle);
  if (token === undefined) throw new NotFound(`handle: no such token ${JSON.stringify(handle)}`);
  if (others.length > 0)
    throw new InvalidInput(
      `handle: ${others.length + 1} tokens begin with ${JSON.stringify(handle)}, give more of it`,
    );
  return token;
}

async function named({ accounts }: Pick<Reads, "accounts">, token: Token): Promise<ListedToken> {
  const account = await accounts.find(token.accountId);
  return listed(token, { name: account?.name ?? "" });
}

function listed(
  token: NewToken & Partial<Pick<Token, "usedAt">>,
  { name }: Pick<Account, "name">,
): ListedToken {
  const { label, createdAt, compatibility, access = "write" } = token;
  const { accountId, expiresAt, usedAt } = token;
  const shown = { label, createdAt, compatibility, access, expiresAt, usedAt, accountId };
  return { handle: handleOf(token), ...shown, accountName: name };
}

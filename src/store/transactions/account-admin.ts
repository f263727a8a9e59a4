import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Account } from "../../domain/account/account.ts";
import type { CompatibilityMode } from "../../domain/account/token.ts";
import type { Clock } from "../../kit/clock.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { InvalidInput, messageOf, NotFound } from "../../kit/errors.ts";
import type { Ids } from "../../kit/ids.ts";
import { parseTimeZone } from "../../schema/time-zone.ts";
import type { Store } from "../store.ts";
import { namedAccount } from "./named-account.ts";
import { createPrimaryAccount } from "./primary-account.ts";

export interface ListedAccount {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly timeZone: string;
}

export interface CreatedSignInLink {
  /** Shown only once. */
  readonly secret: string;
  readonly accountId: string;
  readonly contactId: string;
  readonly name: string;
  readonly endsAt: number;
}

/** Operator's administration of primary accounts, each of which has its own share of limited resources. */
export interface AccountAdmin {
  /** The token of the account is shown this once. */
  readonly create: (wish: {
    readonly name: string;
    readonly ownerEmail?: string | undefined;
    /** A name, or hours ahead of GMT. */
    readonly timeZone: string;
  }) => Promise<ListedAccount & { readonly token: string }>;
  /** A link by which a contact signs in once and chooses a password: by default the first owner of the account there is. An earlier one ends. */
  readonly createSignInLink: (wish: {
    readonly accountId?: string | undefined;
    readonly contactId?: string | undefined;
    /** For a contact that lost its second factors and has no other owner to ask. */
    readonly removesSecondFactors?: boolean | undefined;
  }) => Promise<CreatedSignInLink>;
  /** Passkeys, oldest first. */
  readonly list: () => Promise<readonly ListedAccount[]>;
}

/** How long a link to sign in works. */
export const LINK_MS = 86_400_000;

interface Deps {
  readonly store: Pick<Store, "write" | "accounts">;
  readonly ids: Pick<Ids, "account" | "contact" | "address" | "token">;
  readonly clock: Pick<Clock, "now">;
  /** Mode of the account's first token. */
  readonly compatibility: CompatibilityMode;
  /** Throws with what a mailbox must be. */
  readonly parseMailbox: (text: string) => string;
}

export function createAccountAdmin({ store, ids, clock, ...deps }: Deps): AccountAdmin {
  return {
    async create({ name, ownerEmail, timeZone }) {
      if (!/^\P{Cc}{1,100}$/u.test(name))
        throw new InvalidInput("name: must be 1 to 100 printable characters");
      const zone = parseTimeZone(timeZone);
      if (zone === undefined)
        throw new InvalidInput(
          `timezone: must be a time zone such as Europe/Berlin, or hours ahead of GMT such as 5.75, not ${JSON.stringify(timeZone)}`,
        );
      const wish = {
        name,
        ownerEmail:
          ownerEmail === undefined ? undefined : ownerMailbox(ownerEmail, deps.parseMailbox),
        timeZone: zone,
        label: "account create",
        createdAt: clock.now(),
        compatibility: deps.compatibility,
      };
      const token = ids.token();
      const account = await store.write(async (tx) => {
        const made = await createPrimaryAccount(tx, { ...wish, token }, ids);
        await tx.audit.insert(
          operatorEntry(made.id, { at: wish.createdAt, operation: "POST accounts" }),
        );
        return made;
      });
      return { ...listed(account), token };
    },
    createSignInLink: ({ accountId, contactId, removesSecondFactors = false }) =>
      store.write(async (tx) => {
        const account = await namedAccount(tx, accountId);
        const all = await tx.contacts.list(account.id);
        const contact = all.find(({ id, role }) =>
          contactId === undefined ? role === "owner" : id === contactId && role !== "notify",
        );
        if (contact === undefined)
          throw new NotFound("contact: no such contact of the account that may sign in");
        const secret = ids.token();
        const at = clock.now();
        const link = { accountId: account.id, contactId: contact.id, endsAt: at + LINK_MS };
        await tx.sessions.insertLink({ ...link, digest: hashToken(secret) });
        const operation = "POST sign-in link";
        await tx.audit.insert(operatorEntry(account.id, { at, operation, recordId: contact.id }));
        if (removesSecondFactors) {
          await tx.secondFactors.removeAll(link);
          for (const { digest } of await tx.sessions.listOf(link.accountId, link.contactId))
            await tx.sessions.remove(digest);
          const removal = { at, operation: "DELETE second factor", recordId: contact.id };
          await tx.audit.insert(operatorEntry(account.id, removal));
        }
        return { ...link, secret, name: contact.name };
      }),
    list: async () => (await store.accounts.listPrimary()).map(listed),
  };
}

/** Creates the audit entry of an operator's action by the command line. */
function operatorEntry(
  accountId: string,
  { recordId, ...change }: Pick<AuditEntry, "at" | "operation"> & { readonly recordId?: string },
): AuditEntry {
  return { ...change, accountId, actor: undefined, client: "", recordId, fields: [] };
}

function ownerMailbox(text: string, parse: Deps["parseMailbox"]): string {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidInput(`owner-email: ${messageOf(error)}`, { cause: error });
  }
}

function listed({ id, name, createdAt, timeZone }: Account): ListedAccount {
  return { id, name, createdAt, timeZone };
}

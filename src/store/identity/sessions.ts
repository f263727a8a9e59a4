import type { Account } from "../../domain/account/account.ts";
import type { Session, SignInLink } from "../../domain/account/session.ts";
import type { Contact } from "../../domain/contact/contact.ts";

/** A session with whom it is of, as they are now. */
export interface FoundSession {
  readonly session: Session;
  readonly account: Account;
  readonly contact: Pick<Contact, "id" | "name" | "role">;
}

export interface SessionReads {
  /** Also one that has ended. */
  readonly find: (digest: string) => Promise<FoundSession | undefined>;
  /** The newest first. */
  readonly listOf: (accountId: string, contactId: string) => Promise<readonly Session[]>;
  /** Whether somebody has signed in from the address whose session lasts until after `now`. */
  readonly isClientKnown: (client: string, now: number) => Promise<boolean>;
  /** Also one that has ended. */
  readonly findLink: (digest: string) => Promise<SignInLink | undefined>;
}

export interface SessionWrites {
  /** Of the contact's sessions those that have ended are removed, and the oldest of too many. */
  readonly insert: (session: Session, mostOfContact: number) => Promise<void>;
  /** Notes that a request carried it, unless that is noted for a moment after `since` already. */
  readonly noteUse: (use: {
    readonly digest: string;
    readonly at: number;
    readonly since: number;
  }) => Promise<void>;
  /** True where there was one. */
  readonly remove: (digest: string) => Promise<boolean>;
  /** Ends all sessions of the contact for good, and what would lead to one, but for the session that is kept. */
  readonly endAll: (contactId: string, keptDigest?: string) => Promise<void>;
  /** It replaces an earlier link of the contact. */
  readonly insertLink: (link: SignInLink) => Promise<void>;
  /** True where there was one: of two who follow a link at the same moment one signs in. */
  readonly removeLink: (digest: string) => Promise<boolean>;
}

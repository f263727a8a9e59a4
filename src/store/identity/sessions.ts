import type { Account } from "../../domain/account/account.ts";
import type { Session } from "../../domain/account/session.ts";
import type { Contact } from "../../domain/contact/contact.ts";

/** A session with whom it is of, as they are now. */
export interface FoundSession {
  readonly session: Session;
  readonly account: Account;
  readonly contact: Pick<Contact, "id" | "name" | "role">;
}

/** Why a contact is told a password: it may sign in from now on, or somebody asked for a new one. */
export type LetterKind = "welcome" | "reset";

/** A mail that is no alert, on its way to one contact. It holds a password: it is not logged. */
export interface Letter {
  /** One for life: the Message-ID is made of it. */
  readonly id: string;
  readonly accountId: string;
  readonly contactId: string;
  readonly kind: LetterKind;
  readonly name: string;
  /** The mailbox, which is also the name to sign in with. */
  readonly to: string;
  readonly password: string;
  readonly createdAt: number;
  readonly attempts: number;
}

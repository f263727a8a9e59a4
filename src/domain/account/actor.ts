/** Who does something: a program by its token, a contact that is signed in, the holder of a link from a mail, or a stranger who has not shown who they are. Nothing here is a credential. */
export interface Actor {
  readonly kind: "token" | "session" | "link" | "stranger";
  /** The handle of the token or session; of a link that, or the address it was mailed to; empty for a stranger. */
  readonly id: string;
  /** The label of the token, or the name of the contact. */
  readonly name: string;
  /** Whose session or mail it is. */
  readonly contactId: string | undefined;
}

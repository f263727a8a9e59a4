/** Who does something: a program by its token, a contact that is signed in, or whoever has the link of a mail. Nothing here is a credential. */
export interface Actor {
  readonly kind: "token" | "session" | "link";
  /** The handle of the token or session; of a link that, or the address it was mailed to. */
  readonly id: string;
  /** The label of the token, or the name of the contact. */
  readonly name: string;
  /** Whose session or mail it is. */
  readonly contactId: string | undefined;
}

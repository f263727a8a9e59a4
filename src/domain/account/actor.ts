/** Who sends a request: a program by its token, or a contact that is signed in. Neither is a credential. */
export interface Actor {
  readonly kind: "token" | "session";
  /** The handle of the token or session. */
  readonly id: string;
  /** The label of the token, or the name of the contact. */
  readonly name: string;
  /** Of a session. */
  readonly contactId: string | undefined;
}

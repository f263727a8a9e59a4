/** Author of an action: a program with a token, a signed-in contact, the holder of a link from a mail, or an unidentified client. Contains no credentials. */
export interface Actor {
  readonly kind: "token" | "session" | "link" | "stranger";
  /** The handle of the token or session; of a link that, or the address it was mailed to; empty for a stranger. */
  readonly id: string;
  /** The label of the token, or the name of the contact. */
  readonly name: string;
  /** Contact whose session or mail link was used. */
  readonly contactId: string | undefined;
}

import type { Finding } from "./diagnostics.ts";

/** A mail that is no alert, on its way to one contact. */
interface AnyLetter {
  /** One for life: the Message-ID is made of it. */
  readonly id: string;
  readonly accountId: string;
  readonly contactId: string;
  /** The mailbox. */
  readonly to: string;
  readonly createdAt: number;
  readonly attempts: number;
}

/** Tells a contact a password, which goes with the mailbox: it may sign in from now on, or somebody asked for a new one. It is not logged. */
export interface PasswordMail extends AnyLetter {
  readonly kind: "welcome" | "reset";
  readonly name: string;
  readonly password: string;
}

/** Tells what was found where a check went down. */
export interface DiagnosticsMail extends AnyLetter {
  readonly kind: "diagnosis";
  /** Whose mailbox it is; one that was stored before letters said so lacks it. */
  readonly addressId?: string | undefined;
  readonly outage: string;
  readonly label: string;
  /** Without credentials. */
  readonly target: string;
  readonly location: string;
  readonly at: number;
  readonly offsetHours: number;
  readonly findings: readonly Finding[];
}

export type SystemMail = PasswordMail | DiagnosticsMail;
export type NewSystemMail = Omit<PasswordMail, "attempts"> | Omit<DiagnosticsMail, "attempts">;

/** Of letters to a contact about the same only the last counts: an earlier password is no longer any. */
export function topicOf(letter: NewSystemMail): string {
  return letter.kind === "diagnosis" ? letter.id : "password";
}

import type { DiagnosticsReport } from "./diagnostics.ts";

/** A mail that is no alert, on its way to one contact. */
interface AnySystemMail {
  /** One for life: the Message-ID is made of it. */
  readonly id: string;
  readonly accountId: string;
  readonly contactId: string;
  /** The mailbox. */
  readonly to: string;
  readonly createdAt: number;
  readonly attempts: number;
}

/** Mail with a contact's password: a welcome, or a requested new one. The password is not logged. */
export interface PasswordMail extends AnySystemMail {
  readonly kind: "welcome" | "reset";
  readonly name: string;
  readonly password: string;
}

/** Diagnostics of one outage, with the check data that the mail shows. */
export interface OutageReport extends DiagnosticsReport {
  readonly outage: string;
  readonly checkId: string;
  readonly label: string;
  /** Without credentials. */
  readonly target: string;
  /** Start of the outage. */
  readonly downSince: number;
}

/** A mail with the findings of diagnostics, which ended after the alerts of one message were sent. */
export interface DiagnosticsMail extends AnySystemMail {
  readonly kind: "diagnosis";
  /** Address ID of the mailbox. */
  readonly addressId: string;
  /** ID of the bundle those alerts were sent in, or of the only alert. */
  readonly follows: string;
  readonly timeZone: string;
  readonly reports: readonly OutageReport[];
}

/** A mail that asks the owner of a mailbox to agree to messages. */
export interface ConfirmationMail extends AnySystemMail {
  readonly kind: "confirmation";
  readonly addressId: string;
  readonly accountName: string;
}

/** A mail with a link that signs in once, for a contact that is invited or has forgotten its password. The secret is not logged. */
export interface LinkMail extends AnySystemMail {
  readonly kind: "link";
  readonly accountName: string;
  readonly secret: string;
  /** Undefined for a forgotten password. */
  readonly invitation?: {
    /** The name of the contact. */
    readonly name: string;
    /** The name of the contact that invited it. */
    readonly by: string;
  };
}

/** Change to how a contact signs in. */
export type AccessChange =
  | "password"
  | "role"
  | "mailbox"
  | "factor added"
  | "factor removed"
  | "codes";

/** A mail that tells a person of such a change. */
export interface AccessMail extends AnySystemMail {
  readonly kind: "access";
  readonly accountName: string;
  readonly timeZone: string;
  readonly change: AccessChange;
  /** Address of the client that made the change; empty if an owner or the operator did. */
  readonly client: string;
}

export type SystemMail = PasswordMail | DiagnosticsMail | ConfirmationMail | LinkMail | AccessMail;
export type NewSystemMail =
  | Omit<PasswordMail, "attempts">
  | Omit<DiagnosticsMail, "attempts">
  | Omit<ConfirmationMail, "attempts">
  | Omit<LinkMail, "attempts">
  | Omit<AccessMail, "attempts">;

/** A mail replaces an earlier one to the same contact on the same topic: an earlier password is not valid any more. Diagnostics are added to it. */
export function topicOf(mail: NewSystemMail): string {
  if (mail.kind === "diagnosis") return `diagnostics of ${mail.addressId} ${mail.follows}`;
  if (mail.kind === "link") return "link";
  if (mail.kind === "access") return `access ${mail.id}`;
  return mail.kind === "confirmation" ? `confirmation of ${mail.addressId}` : "password";
}

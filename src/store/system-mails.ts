import type { DiagnosticsMail, NewSystemMail, SystemMail } from "../domain/system-mail.ts";

export interface SystemMailReads {
  /** Whether a mail could be claimed now, by the store's clock. */
  readonly isDue: () => Promise<boolean>;
}

export interface SystemMailWrites {
  /** Replaces an earlier mail to the contact about the same topic. */
  readonly insert: (mail: NewSystemMail) => Promise<void>;
  /** Adds the reports to the mail that follows the same message, if that has not been tried yet and has room, and otherwise inserts this one. It is due then, and sooner where it was already. True where it is a mail more. */
  readonly addDiagnostics: (
    mail: Omit<DiagnosticsMail, "attempts">,
    dueAt: number,
  ) => Promise<boolean>;
  /** Takes the mail that has been due longest, for this attempt alone: until the lease ends nobody else can claim it. */
  readonly claim: (lease: { readonly leaseMs: number }) => Promise<SystemMail | undefined>;
  /** Does nothing where it is gone, or was claimed for a later attempt. */
  readonly postpone: (
    mail: Pick<SystemMail, "id" | "attempts">,
    nextAttemptAt: number,
  ) => Promise<void>;
  /** Moves all next attempts, as the clock was set by so many ms. */
  readonly shiftTimes: (byMs: number) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

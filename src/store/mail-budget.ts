import type { MailLimits } from "../domain/contact/mail-limits.ts";

export interface BudgetedMail {
  readonly mailbox: string;
  /** The account that asks for it, or a subaccount of it. */
  readonly accountId: string;
  readonly at: number;
  readonly limits: MailLimits;
}

export interface AlertMail {
  readonly mailbox: string;
  readonly at: number;
}

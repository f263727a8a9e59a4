import type { MailLimits, SpentBudget } from "../domain/contact/mail-limits.ts";

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

export interface MailBudgetReads {
  /** Undefined while there is a mail left. */
  readonly spent: (mail: BudgetedMail) => Promise<SpentBudget | undefined>;
  /** When the next alert mail may go to a mailbox that had its limit; undefined while it may at once. */
  readonly alertsResumeAt: (
    mail: AlertMail & { readonly limit: number },
  ) => Promise<number | undefined>;
}

export interface MailBudgetWrites {
  /** Counts a mail where there is one left. */
  readonly take: (mail: BudgetedMail) => Promise<SpentBudget | undefined>;
  /** Counts a mail of alerts, within a day that begins with the first of them. */
  readonly countAlertMail: (mail: AlertMail) => Promise<void>;
}

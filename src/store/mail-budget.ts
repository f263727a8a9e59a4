import type { MailLimits, SpentBudget } from "../domain/contact/mail-limits.ts";

export interface BudgetedMail {
  readonly mailbox: string;
  /** The account that asks for it, or a subaccount of it. */
  readonly accountId: string;
  readonly at: number;
  readonly limits: MailLimits;
}

export interface MailBudgetReads {
  /** Undefined while there is a mail left. */
  readonly spent: (mail: BudgetedMail) => Promise<SpentBudget | undefined>;
}

export interface MailBudgetWrites {
  /** Counts a mail where there is one left. */
  readonly take: (mail: BudgetedMail) => Promise<SpentBudget | undefined>;
}

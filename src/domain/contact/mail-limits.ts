/** Limits of mails that the mailbox's owner may not have requested: welcomes, passwords, and test messages; 0 means no limit. */
export interface MailLimits {
  /** Maximum mails an hour to one mailbox from all senders; the daily maximum is four times as high. */
  readonly perMailbox: number;
  /** A day by one account with its subaccounts. */
  readonly perAccount: number;
}

/** Enough for a person who tries things, and too few to be a nuisance to a stranger. */
export const defaultMailLimits: MailLimits = { perMailbox: 5, perAccount: 500 };

/** Maximum alert mails a day to one mailbox, over all accounts: more than anyone reads; 0 means no limit. */
export const defaultAlertMailLimit = 2000;

/** Exhausted mail budget, with the time until it is renewed. */
export interface SpentBudget {
  readonly of: "mailbox" | "account";
  readonly forMs: number;
}

/** Returns the reason why no mail is sent, with the responsible setting. */
export function sentenceOf({ of }: SpentBudget, { perMailbox, perAccount }: MailLimits): string {
  return of === "mailbox"
    ? `the mailbox was sent all the passwords and test messages that it may get: ${perMailbox} an hour, ${perMailbox * 4} a day (WATCHPOST_MAILBOX_LIMIT)`
    : `the account had all the passwords and test messages mailed that it may: ${perAccount} a day (WATCHPOST_ACCOUNT_MAIL_LIMIT)`;
}

/** How many mails that the mailbox's owner may not have asked for: welcomes, passwords and test messages; 0 is no limit. */
export interface MailLimits {
  /** An hour to one mailbox, whoever asks for them; four times as many a day. */
  readonly perMailbox: number;
  /** A day by one account with its subaccounts. */
  readonly perAccount: number;
}

/** Enough for a person who tries things, and too few to be a nuisance to a stranger. */
export const defaultMailLimits: MailLimits = { perMailbox: 5, perAccount: 500 };

/** Alert mails a day to one mailbox, over all accounts: more than anybody reads; 0 is no limit. */
export const defaultAlertMailLimit = 2000;

/** Which budget has no mail left, and for how long. */
export interface SpentBudget {
  readonly of: "mailbox" | "account";
  readonly forMs: number;
}

/** Why no mail is sent, and which setting says so. */
export function sentenceOf({ of }: SpentBudget, { perMailbox, perAccount }: MailLimits): string {
  return of === "mailbox"
    ? `the mailbox was sent all the passwords and test messages that it may get: ${perMailbox} an hour, ${perMailbox * 4} a day (WATCHPOST_MAILBOX_LIMIT)`
    : `the account had all the passwords and test messages mailed that it may: ${perAccount} a day (WATCHPOST_ACCOUNT_MAIL_LIMIT)`;
}

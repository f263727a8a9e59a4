import { z } from "zod";

import {
  defaultLimits,
  limitedKinds,
  type AccountLimits,
  type LimitedKind,
} from "../domain/account/limits.ts";
import { defaultAlertMailLimit, defaultMailLimits } from "../domain/contact/mail-limits.ts";

const units: Readonly<Record<string, number>> = {
  "": 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** A list such as `checks=1000,configuration=16MiB`; what it leaves out has its default. */
const accountLimits = z
  .string()
  .default("")
  .transform((text, context): AccountLimits => {
    const given = new Map<LimitedKind, number>();
    for (const entry of text.split(",").map((part) => part.trim())) {
      if (entry === "") continue;
      const [, name, digits, unit = ""] = /^([a-z]+)=(\d{1,12})(KiB|MiB|GiB)?$/.exec(entry) ?? [];
      const kind = limitedKinds.find((known) => known === name);
      if (kind === undefined || given.has(kind)) {
        context.addIssue(
          `must be limits such as checks=1000,configuration=16MiB, each of ${limitedKinds.join(", ")} at most once, not ${JSON.stringify(entry)}`,
        );
        return z.NEVER;
      }
      given.set(kind, Number(digits) * (units[unit] ?? 1));
    }
    return { ...defaultLimits, ...Object.fromEntries(given) };
  });

/** The limits in the notation of the setting. */
function limitsText(limits: AccountLimits): string {
  return limitedKinds
    .map((kind) => {
      const mib = limits[kind] / 1024 ** 2;
      return `${kind}=${Number.isInteger(mib) && mib > 0 ? `${mib}MiB` : limits[kind]}`;
    })
    .join(",");
}

const wholeNumber = (usual: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, { error: "must be a whole number, such as 5, or 0" })
    .default(String(usual))
    .transform(Number);

/** Limits of accounts' records and mails. */
export const limitSettings = {
  WATCHPOST_CONFIRM_ADDRESSES: z
    .enum(["on", "off"], { error: 'must be "on" or "off"' })
    .default("off")
    .transform((value) => value === "on")
    .meta({
      fallback: "`off`",
      meaning:
        "`on` asks the owner of each new mailbox before anything else is sent there, by a mail with a link (double opt-in); for services that strangers use. See [Confirmed addresses](#confirmed-addresses)",
    }),
  WATCHPOST_ACCOUNT_LIMITS: accountLimits.meta({
    fallback: `\`${limitsText(defaultLimits)}\``,
    meaning:
      "What an account may keep, its subaccounts included, as a list such as `checks=1000,configuration=16MiB`; a kind that is missing keeps its default, and `0` is no limit. `configuration` is bytes, of all records together, and so is `evidence`, of which the oldest gives way. See [Limits](#limits-of-accounts)",
  }),
  WATCHPOST_MAILBOX_LIMIT: wholeNumber(defaultMailLimits.perMailbox).meta({
    fallback: `\`${defaultMailLimits.perMailbox}\``,
    meaning:
      "Welcomes, passwords and test messages an hour to one mailbox, whoever asks for them, and four times as many a day; `0` is no limit. Requests to confirm an address count, alerts do not",
  }),
  WATCHPOST_MAILBOX_ALERT_LIMIT: wholeNumber(defaultAlertMailLimit).meta({
    fallback: `\`${defaultAlertMailLimit}\``,
    meaning:
      "Mails of alerts a day to one mailbox, of all accounts together; `0` is no limit. Further alerts wait until the day is over, and go together then",
  }),
  WATCHPOST_ACCOUNT_MAIL_LIMIT: wholeNumber(defaultMailLimits.perAccount).meta({
    fallback: `\`${defaultMailLimits.perAccount}\``,
    meaning:
      "Welcomes, passwords and test messages a day that one account may have mailed, its subaccounts included; `0` is no limit",
  }),
};

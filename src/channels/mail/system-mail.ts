import type { Branding } from "../../domain/account/branding.ts";
import type {
  AccessChange,
  AccessMail,
  ConfirmationMail,
  DiagnosticsMail,
  LinkMail,
  OutageReport,
  PasswordMail,
  SystemMail,
} from "../../domain/system-mail.ts";
import { DeliveryFailed } from "../../kit/errors.ts";
import { confirmableMs } from "./confirm.ts";
import { diagnosticsPage } from "./diagnostics-page.ts";
import { commonHeaders, threadHeaders, unsubscribeHeaders } from "./headers.ts";
import { dashboardUrlOf } from "../format/alert-text.ts";
import type { PageLinks } from "../page-links.ts";
import { isLinkLike } from "../../kit/net/link-like.ts";
import { oneLine } from "../format/one-line.ts";
import { unsubscribeText } from "./unsubscribe-line.ts";
import { textToHtml } from "./text-to-html.ts";
import type { Mailer } from "./mailer.ts";
import type { AddressLinks } from "./address-links.ts";
import { instantText } from "../format/times.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import { signInUrl } from "../../domain/account/session.ts";

export interface SystemMailSender {
  /** Resolves once the mail server has accepted the mail; otherwise throws DeliveryFailed. It never retries, and ends when the signal aborts. */
  readonly send: (mail: SystemMail, signal: AbortSignal, branding?: Branding) => Promise<void>;
}

interface SystemMailSenderDeps {
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** The public address of this installation. */
  readonly url: string;
  /** The text of a welcome mail, with variables in braces. */
  readonly welcomeText: string;
  readonly unsubscribing: Pick<AddressLinks, "linkOf">;
  readonly confirming: Pick<AddressLinks, "linkOf">;
  readonly pageLinks: Pick<PageLinks, "linkOf">;
}

/** Variables that a text may contain in braces. */
export const systemMailVariables = ["name", "email", "password", "url"] as const;

export const defaultWelcomeText = `Hello {name},

you have access to Watchpost, the uptime monitoring at {url}

Sign in with: {email}
Password: {password}

If you did not expect this, somebody took your address for theirs. You can ignore this mail.
`;

const RESET = `Hello {name},

a new password was made for your access to Watchpost at {url}

Sign in with: {email}
Password: {password}

Your old password is no longer valid.
If you did not ask for a new one, somebody who holds an API token of your account did. Only you were sent it.
`;

/** Follows the account's own words, which may be unknown to the recipient. */
const WELCOME_END = `

--
You get this mail because somebody entered your address at Watchpost, the uptime monitoring at {url}. If you did not expect it, you can ignore it.
`;

const subjects: Readonly<Record<PasswordMail["kind"], string>> = {
  welcome: "Your access to Watchpost",
  reset: "Your new password for Watchpost",
};

const NAME_LENGTH = 100;
/** All that an account may say to people who do not know it: too short for a message. */
const ACCOUNT_NAME_LENGTH = 40;

export function createSystemMailSender({
  mailer,
  url,
  welcomeText,
  unsubscribing,
  confirming,
  pageLinks,
}: SystemMailSenderDeps): SystemMailSender {
  const texts = { welcome: welcomeText, reset: RESET };
  const { hostname } = new URL(url);

  const passwordPage = (
    { kind, name, to, password }: PasswordMail,
    branding: Branding | undefined,
  ) => {
    const values = { name: addresseeOf({ name, to }), email: to, password, url };
    const own = kind === "welcome" ? branding?.welcome : undefined;
    const text = filled(own === undefined ? texts[kind] : `${own}${WELCOME_END}`, values);
    return { subject: `${subjects[kind]} (${hostname})`, text, html: textToHtml(text) };
  };

  const diagnosticsMail = (mail: DiagnosticsMail) => {
    const { reports, timeZone, accountId, contactId, addressId, createdAt, to: mailbox } = mail;
    const stop = unsubscribing.linkOf({ accountId, contactId, addressId, mailbox });
    const replies = reports.map(({ outage }) => ({ outage, kind: "up" }));
    const pageUrlOf = ({ checkId, downSince }: OutageReport): string =>
      pageLinks.linkOf(
        { accountId, contactId, checkId, createdAt, notice: { since: downSince, downForMs: 0 } },
        { id: addressId, address: mailbox },
      ) ?? dashboardUrlOf({ alert: { checkId }, url });
    const page = diagnosticsPage({ reports, timeZone, pageUrlOf, stop, url });
    const text = `${page.text}\n${unsubscribeText(stop)}\n`;
    return [
      { ...page, text },
      { ...threadHeaders(replies, hostname), ...unsubscribeHeaders(stop) },
    ] as const;
  };

  const confirmationMail = (mail: ConfirmationMail) => {
    const { accountId, contactId, addressId, accountName, createdAt, to: mailbox } = mail;
    const subscriber = { accountId, contactId, addressId, mailbox };
    const stop = unsubscribing.linkOf(subscriber);
    const link = confirming.linkOf(subscriber, createdAt + confirmableMs);
    const page = confirmationPage({ accountId, accountName, mailbox, url, link, stop });
    return [page, unsubscribeHeaders(stop)] as const;
  };

  return {
    async send(systemMail, signal, branding) {
      if (mailer === undefined)
        throw new DeliveryFailed("no mail server is set: WATCHPOST_SMTP_URL", { retryable: true });
      const { id, to, createdAt } = systemMail;
      const [page, own] =
        systemMail.kind === "diagnosis"
          ? diagnosticsMail(systemMail)
          : systemMail.kind === "confirmation"
            ? confirmationMail(systemMail)
            : systemMail.kind === "link"
              ? [linkPage(systemMail, { url, welcomeText, branding }), {}]
              : systemMail.kind === "access"
                ? [accessPage(systemMail, url), {}]
                : [passwordPage(systemMail, branding), {}];
      const headers = { ...commonHeaders(id, hostname), ...own };
      // Until its owner agrees, a mailbox gets no words of an account but its name.
      const from = systemMail.kind === "confirmation" ? undefined : branding?.from;
      const mail = { ...page, from, to, headers, date: new Date(createdAt) };
      await mailer.send(mail, signal);
    },
  };
}

interface LinkMailWords extends Pick<SystemMailSenderDeps, "url" | "welcomeText"> {
  readonly branding: Branding | undefined;
}

/** An invitation has the welcome of the account, or of the operator, where there is one. */
function linkPage(mail: LinkMail, { url, welcomeText, branding }: LinkMailWords) {
  const { invitation, to } = mail;
  if (invitation === undefined) return signInLinkPage(mail, url);
  const operatorText = welcomeText === defaultWelcomeText ? undefined : welcomeText;
  const template = branding?.welcome ?? operatorText;
  const name = addresseeOf({ name: invitation.name, to });
  const ownText =
    template === undefined
      ? undefined
      : (password: string) => filled(template, { name, email: to, password, url });
  return invitationPage({ mail: { ...mail, invitation }, url, ownText });
}

/** A name that a mail program would show as a link is left out. */
function addresseeOf({ name, to }: Pick<PasswordMail, "name" | "to">): string {
  return (isLinkLike(name) ? "" : oneLine(name, NAME_LENGTH)) || to;
}

/** In one pass, for a name may look like a variable. */
function filled(
  template: string,
  values: Readonly<Record<(typeof systemMailVariables)[number], string>>,
): string {
  const known = new Map(Object.entries(values));
  return template.replaceAll(/\{(\w+)\}/g, (found, name: string) => known.get(name) ?? found);
}

const sentences: Readonly<Record<AccessChange, string>> = {
  password: "Your password was changed",
  role: "Your role was changed",
  mailbox: "The email address that you sign in with was changed",
  "factor added": "A second factor was added to your sign-in",
  "factor removed": "A second factor was removed from your sign-in",
  codes: "Your recovery codes were replaced",
};

/** Tells a person that somebody changed how they sign in. */
function accessPage(
  { change, accountId, accountName, timeZone, client, createdAt }: AccessMail,
  url: string,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const named = isLinkLike(accountName) ? "" : oneLine(accountName, ACCOUNT_NAME_LENGTH);
  const sentence = sentences[change];
  const text = `${sentence} for Watchpost, the uptime monitoring at ${url}

Account: ${named === "" ? accountId : `"${named}"`}
Time: ${instantText(createdAt, timeZone)}${client === "" ? "" : `\nFrom: ${client}`}

All other browsers are signed out. If you or an owner of the account made this change, there is nothing to do. If not, tell an owner of the account, and choose a new password: ${url}/forgot
`;
  return { subject: `${sentence} (${new URL(url).hostname})`, text, html: textToHtml(text) };
}

interface Asked {
  readonly accountId: string;
  readonly accountName: string;
  readonly mailbox: string;
  /** The public address of this installation. */
  readonly url: string;
  readonly link: string;
  readonly stop: string;
}

/** Asks the owner of a mailbox to agree to alerts. */
function confirmationPage({ accountId, accountName, mailbox, url, link, stop }: Asked): {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
} {
  const named = isLinkLike(accountName) ? "" : oneLine(accountName, ACCOUNT_NAME_LENGTH);
  const name = named === "" ? accountId : `"${named}"`;
  const beginning = `Somebody asked for alerts of the account ${name} to be sent to ${mailbox}.

Watchpost, the uptime monitoring at ${url}, sends none there until you agree.`;
  const end = `If you did not expect this mail, you can ignore it: then no alerts are sent to you. The link works for two weeks.`;
  return {
    subject: `Do you want alerts at this address? (${new URL(url).hostname})`,
    text: `${beginning}

Agree: ${link}

${end}

Send nothing to this address: ${stop}
`,
    html: textToHtml(
      beginning,
      `<p><a href="${escapeHtml(link)}">Agree to alerts</a></p><p>${escapeHtml(end)}</p><p><small><a href="${escapeHtml(stop)}">Send nothing to this address</a></small></p>`,
    ),
  };
}

interface Invitation {
  readonly mail: LinkMail & Required<Pick<LinkMail, "invitation">>;
  /** The public address of this installation. */
  readonly url: string;
  /** Renders the account's or the operator's own welcome, with the link instead of a password; undefined if there is none. */
  readonly ownText: ((password: string) => string) | undefined;
}

/** Invites a contact to choose a password, and names the person who invites it. */
function invitationPage({ mail, url, ownText }: Invitation): {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
} {
  const { accountId, accountName, to, secret, invitation } = mail;
  const [account, name, by] = [accountName, invitation.name, invitation.by].map((each) =>
    isLinkLike(each) ? "" : oneLine(each, ACCOUNT_NAME_LENGTH),
  );
  const invited = by ? `${by} invited you` : "You are invited";
  const beginning = `${invited} to the account ${account ? `"${account}"` : accountId} of Watchpost, the uptime monitoring at ${url}.`;
  const link = signInUrl(url, secret);
  const end = `The link lets you choose a password. It works once, for 7 days; after that, get another one at ${url}/forgot.
If you did not expect this, somebody took your address for theirs. You can ignore this mail.`;
  const text =
    ownText === undefined
      ? `Hello ${name || to},\n\n${beginning}\n\nSign in with: ${to}\nChoose a password: ${link}\n\n${end}\n`
      : `${ownText(link)}\n\n--\n${beginning}\n${end}\n`;
  const subject = `Your invitation to Watchpost (${new URL(url).hostname})`;
  return { subject, text, html: textToHtml(text) };
}

/** Has who forgot a password choose another one. */
function signInLinkPage(
  { accountId, accountName, to, secret }: LinkMail,
  url: string,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const named = isLinkLike(accountName) ? "" : oneLine(accountName, ACCOUNT_NAME_LENGTH);
  const name = named === "" ? accountId : `"${named}"`;
  const link = signInUrl(url, secret);
  const beginning = `Somebody asked for a new password for ${to}, in the account ${name} of Watchpost, the uptime monitoring at ${url}`;
  const end = `The link works once, for an hour. If you did not ask for it, you can ignore this mail: your password stays as it is.`;
  return {
    subject: `Choose a new password for Watchpost (${new URL(url).hostname})`,
    text: `${beginning}\n\nChoose a new password: ${link}\n\n${end}\n`,
    html: textToHtml(
      beginning,
      `<p><a href="${escapeHtml(link)}">Choose a new password</a></p><p>${escapeHtml(end)}</p>`,
    ),
  };
}

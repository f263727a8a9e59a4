import type { Branding } from "../../domain/account/branding.ts";
import type {
  ConfirmationMail,
  DiagnosticsMail,
  LinkMail,
  OutageReport,
  SystemMail,
  PasswordMail,
} from "../../domain/system-mail.ts";
import { DeliveryFailed } from "../../kit/errors.ts";
import { accessPage } from "./access-page.ts";
import { confirmableMs } from "./confirm.ts";
import { confirmationPage } from "./confirmation-page.ts";
import { invitationPage } from "./invitation-page.ts";
import { signInLinkPage } from "./sign-in-link-page.ts";
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

export interface SystemMailSender {
  /** Resolves once the mail server has accepted the mail; otherwise throws DeliveryFailed. It never retries, and ends when the signal aborts. */
  readonly send: (mail: SystemMail, signal: AbortSignal, branding?: Branding) => Promise<void>;
}

interface SystemMailSenderDeps {
  /** Undefined where no mail server is set. */
  readonly mailer: Mailer | undefined;
  /** The public address of this installation. */
  readonly url: string;
  /** The text of a welcome mail, with variables in braces. */
  readonly welcomeText: string;
  readonly unsubscribing: Pick<AddressLinks, "linkOf">;
  readonly confirming: Pick<AddressLinks, "linkOf">;
  readonly pageLinks: Pick<PageLinks, "linkOf">;
}

/** What a text may name in braces. */
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

/** After the words of an account, which whoever gets them may not know. */
const WELCOME_END = `

--
You get this mail because somebody entered your address at Watchpost, the uptime monitoring at {url}. If you did not expect it, you can ignore it.
`;

const subjects: Readonly<Record<PasswordMail["kind"], string>> = {
  welcome: "Your access to Watchpost",
  reset: "Your new password for Watchpost",
};

const NAME_LENGTH = 100;

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

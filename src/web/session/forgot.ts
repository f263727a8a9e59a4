import { messageOf } from "../../kit/errors.ts";
import type { Ids } from "../../kit/ids.ts";
import type { MailLimits } from "../../domain/contact/mail-limits.ts";
import { mailSignInLink } from "../../store/transactions/mail-sign-in-link.ts";
import type { LinkPage, LinkPages } from "../link-page.ts";
import {
  givenMailbox,
  mailboxField,
  MOST_ACCOUNTS,
  refusalOf,
  sessionPage,
  type SessionPageDeps,
} from "./session-page.ts";
import { wordsFor, type LocalizedWords } from "./words.ts";

export interface ForgotDeps extends SessionPageDeps {
  readonly ids: Pick<Ids, "token" | "uuid">;
  readonly mailLimits: MailLimits;
}

/** Mails a link to who has forgotten a password. Nobody learns from the page, or from the time it takes, who has access. */
export function createForgotPage(deps: ForgotDeps): LinkPages {
  const { store, canSendMail, log } = deps;
  const mailLinks = async (mailbox: string): Promise<void> => {
    for (const contact of await store.contacts.findByMailbox(mailbox, MOST_ACCOUNTS))
      if (await mailSignInLink(deps, contact))
        log.info("web.link_mailed", { contact: contact.contactId });
  };
  return {
    ask: async (_query, _form, request) =>
      canSendMail ? formPage(wordsFor(request)) : unavailablePage(wordsFor(request)),
    async act(_query, form, request) {
      if (!canSendMail) return unavailablePage(wordsFor(request));
      const mailbox = givenMailbox(form);
      // Attempts to sign in with the mailbox leave its owner this way.
      const device = deps.devices.deviceOf(request.headers.cookie, mailbox);
      const refused = refusalOf(deps, request, `${mailbox} forgot`, { device });
      if (refused !== undefined) return refused;
      // Nobody waits for it: the answer would take longer where there is such a contact.
      mailLinks(mailbox).catch((error: unknown) =>
        log.warn("web.no_link_mailed", { message: messageOf(error) }),
      );
      return sentPage(wordsFor(request));
    },
  };
}

function formPage(words: LocalizedWords): LinkPage {
  const { language, newPassword, linkComes, sendLink } = words;
  return sessionPage(
    200,
    `<h2>${newPassword}</h2><p>${linkComes}</p><form method="post">${mailboxField(words)}<p><button type="submit">${sendLink}</button></p></form>${back(words)}`,
    { language },
  );
}

function sentPage(words: LocalizedWords): LinkPage {
  const { language, lookIntoMailbox, linkSent } = words;
  return sessionPage(200, `<h2>${lookIntoMailbox}</h2><p>${linkSent}</p>${back(words)}`, {
    language,
  });
}

function unavailablePage(words: LocalizedWords): LinkPage {
  const { language, noMailTitle, noMail } = words;
  return sessionPage(503, `<h2>${noMailTitle}</h2><p>${noMail}</p>${back(words)}`, { language });
}

function back({ signIn }: LocalizedWords): string {
  return `<p><a href="signin">${signIn}</a></p>`;
}

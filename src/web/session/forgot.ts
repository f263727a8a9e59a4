import { messageOf } from "../../kit/errors.ts";
import type { Ids } from "../../kit/ids.ts";
import type { MailLimits } from "../../domain/contact/mail-limits.ts";
import { mailSignInLink } from "../../store/units/mail-sign-in-link.ts";
import type { LinkPages } from "../link-page.ts";
import {
  givenMailbox,
  mailboxField,
  MOST_ACCOUNTS,
  refusalOf,
  sessionPage,
} from "./session-page.ts";
import type { SessionPageDeps } from "./session-page.ts";

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
    ask: async () => (canSendMail ? formPage : unavailablePage),
    async act(_query, form, request) {
      if (!canSendMail) return unavailablePage;
      const mailbox = givenMailbox(form);
      // Attempts to sign in with the mailbox leave its owner this way.
      const device = deps.devices.deviceOf(request.headers.cookie, mailbox);
      const refused = refusalOf(deps, request, `${mailbox} forgot`, { device });
      if (refused !== undefined) return refused;
      // Nobody waits for it: the answer would take longer where there is such a contact.
      mailLinks(mailbox).catch((error: unknown) =>
        log.warn("web.no_link_mailed", { message: messageOf(error) }),
      );
      return sentPage;
    },
  };
}

const formPage = sessionPage(
  200,
  `<h2>Choose a new password</h2><p>You get a mail with a link.</p><form method="post">${mailboxField()}<p><button type="submit">Send the link</button></p></form><p><a href="signin">Sign in</a></p>`,
);

const sentPage = sessionPage(
  200,
  '<h2>Look into your mailbox</h2><p>Where this address has access, a mail with a link is on its way there. The link works once, for an hour.</p><p><a href="signin">Sign in</a></p>',
);

const unavailablePage = sessionPage(
  503,
  '<h2>No mail can be sent</h2><p>This installation has no mail server. Whoever runs it can make you a link: <code>watchpost account sign-in</code>.</p><p><a href="signin">Sign in</a></p>',
);

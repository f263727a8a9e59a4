import { z } from "zod";

import { messageOf, Unavailable } from "../../kit/errors.ts";
import { mailSignInLink } from "../../store/transactions/mail-sign-in-link.ts";
import { okResponse } from "../resources/responses.ts";
import {
  assertAllowed,
  comparedMailbox,
  emailField,
  MAX_ACCOUNTS,
  visitorOperation,
  type SignInDeps,
} from "./visitor.ts";

/** Nobody learns from the answer, or from the time it takes, who has access. */
export const forgot = visitorOperation({
  summary: "Mails a link for another password, if the address has access",
  input: z.object({ email: emailField }),
  response: okResponse,
  async handle(deps, { email }, visitor) {
    if (!deps.passwords.canSendMail) throw new Unavailable("no mail server is set");
    const mailbox = comparedMailbox(email);
    // Attempts to sign in with the mailbox leave its owner this way.
    const device = deps.sessions.devices.deviceOf(visitor.headers.cookie, mailbox);
    assertAllowed(deps, visitor, `${mailbox} forgot`, { device });
    // Nobody waits for it: the answer would take longer where there is such a contact.
    mailLinks(deps, mailbox).catch((error: unknown) =>
      deps.log.warn("web.no_link_mailed", { message: messageOf(error) }),
    );
    return { body: { ok: true } };
  },
});

async function mailLinks(deps: SignInDeps, mailbox: string): Promise<void> {
  for (const contact of await deps.store.contacts.findByMailbox(mailbox, MAX_ACCOUNTS))
    if (await mailSignInLink(deps, contact))
      deps.log.info("web.link_mailed", { contact: contact.contactId });
}

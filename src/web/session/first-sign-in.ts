import { parseMailbox } from "../../channels/mail/mailbox.ts";
import type { SignInLink } from "../../domain/account/session.ts";
import { addressDefaults, mailboxOf } from "../../domain/contact/contact.ts";
import type { Contact } from "../../domain/contact/contact.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { messageOf } from "../../kit/errors.ts";
import { knownAsker } from "../../kit/fair/askers.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { Ids } from "../../kit/ids.ts";
import type { LinkPage, LinkPages, PageRequest } from "../link-page.ts";
import { afterFirstFactor } from "./after-first-factor.ts";
import {
  givenMailbox,
  mailboxField,
  newPasswordField,
  passwordProblem,
  problemText,
  refusalOf,
  sessionPage,
  signInEntry,
} from "./session-page.ts";
import type { Form, SessionPageDeps } from "./session-page.ts";

export interface FirstSignInDeps extends SessionPageDeps {
  readonly ids: Pick<Ids, "address">;
  /** Whether messages go to a new mailbox at once. */
  readonly isConfirmed: (address: { readonly kind: "email" }) => boolean;
}

interface Linked {
  readonly link: SignInLink;
  readonly contact: Contact;
}

/** Signs a contact in by a link that works once, and has it choose a password. */
export function createFirstSignInPage(deps: FirstSignInDeps): LinkPages {
  const { store, clock } = deps;
  const linkedBy = async (query: Form): Promise<Linked | undefined> => {
    const secret = query.get("link");
    const link = secret === null ? undefined : await store.sessions.findLink(hashToken(secret));
    if (link === undefined || link.endsAt <= clock.now()) return undefined;
    const contact = await store.contacts.find(link.accountId, link.contactId);
    return contact === undefined || contact.role === "notify" ? undefined : { link, contact };
  };
  return {
    async ask(query) {
      const linked = await linkedBy(query);
      return linked === undefined ? endedPage : formPage(200, linked);
    },
    async act(query, form, request) {
      const refused = refusalOf(deps, request, undefined);
      if (refused !== undefined) return refused;
      const linked = await linkedBy(query);
      return linked === undefined ? endedPage : signIn(deps, linked, { form, request });
    },
  };
}

async function signIn(
  deps: FirstSignInDeps,
  linked: Linked,
  { form, request }: { readonly form: Form; readonly request: PageRequest },
): Promise<LinkPage> {
  const { passwords, clock } = deps;
  const { accountId, contactId, digest } = linked.link;
  const password = form.get("password") ?? "";
  const mailbox = mailboxIn(form, linked.contact);
  const problem = passwordProblem(password) ?? mailbox.problem;
  if (problem !== undefined) return formPage(400, linked, { problem, mailbox: givenMailbox(form) });
  const hash = await passwords.hash(password, knownAsker(contactId, request.client));
  const addressId = deps.ids.address();
  const change = {
    kind: "link",
    digest,
    client: request.client,
    operation: "PUT password",
    fields: ["password"],
  } as const;
  const page = await afterFirstFactor(deps, {
    of: { accountId, contactId },
    request,
    async unit(tx) {
      if (!(await tx.sessions.removeLink(digest))) return false;
      const contact = await tx.contacts.find(accountId, contactId);
      if (contact === undefined) return false;
      if (mailboxOf(contact) === undefined && mailbox.address !== undefined) {
        const confirmed = deps.isConfirmed({ kind: "email" });
        const address = { ...addressDefaults, kind: "email", id: addressId, confirmed };
        const added = { ...address, address: mailbox.address };
        await tx.contacts.update({ ...contact, addresses: [...contact.addresses, added] });
      }
      await tx.contacts.setPassword({ accountId, contactId, hash, at: clock.now() });
      await tx.audit.insert(signInEntry(deps, contact, change));
      return true;
    },
  });
  return page ?? endedPage;
}

/** The mailbox that a contact without one signs in with from now on. */
function mailboxIn(
  form: Form,
  contact: Contact,
): { readonly address?: string; readonly problem?: string } {
  if (mailboxOf(contact) !== undefined) return {};
  try {
    return { address: parseMailbox(form.get("email") ?? "") };
  } catch (error) {
    return { problem: `The email ${messageOf(error)}.` };
  }
}

const endedPage = sessionPage(
  410,
  '<p>This link has been used, or has expired. <a href="signin">Sign in</a> with your password.</p>',
);

function formPage(
  status: number,
  { contact }: Linked,
  refused?: { readonly problem: string; readonly mailbox: string },
): LinkPage {
  const mailbox = mailboxOf(contact);
  const name =
    mailbox === undefined
      ? mailboxField(refused?.mailbox)
      : `<p>You will sign in as ${escapeHtml(mailbox)}.</p>`;
  return sessionPage(
    status,
    `<h2>Choose a password</h2>${problemText(refused?.problem)}<form method="post">${name}${newPasswordField("Password")}<p><button type="submit">Sign in</button></p></form>`,
  );
}

import { parseMailbox } from "../../channels/mail/mailbox.ts";
import { needsSecondFactor, type SecondFactors } from "../../domain/account/second-factor.ts";
import type { SignInLink } from "../../domain/account/session.ts";
import { addressDefaults, mailboxOf, type Contact } from "../../domain/contact/contact.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { messageOf } from "../../kit/errors.ts";
import { knownAsker } from "../../kit/concurrency/askers.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Transaction } from "../../store/store.ts";
import type { LinkPage, LinkPages, PageRequest } from "../link-page.ts";
import { countFailedSignIn, recordAccessChange } from "./access-changes.ts";
import { codeField, codeLabel, heldBackText, passkeyProofForm } from "./code-form.ts";
import { proofOf } from "./second-factor-proof.ts";
import {
  agentOf,
  givenMailbox,
  mailboxField,
  newPasswordField,
  passwordProblem,
  problemText,
  refusalOf,
  sessionPage,
  signedInPage,
  type Form,
  type SessionPageDeps,
} from "./session-page.ts";
import { wordsFor, type LocalizedWords } from "./words.ts";

export interface FirstSignInDeps extends SessionPageDeps {
  readonly ids: Pick<Ids, "address" | "uuid">;
  /** Whether messages go to a new mailbox at once. */
  readonly isConfirmed: (address: { readonly kind: "email" }) => boolean;
}

type Shown = Linked & { readonly words: LocalizedWords };

interface Linked {
  readonly link: SignInLink;
  /** In the link. */
  readonly secret: string;
  readonly contact: Contact;
  readonly factors: SecondFactors;
}

/**
 * Signs a contact in by a link that works once, and has it choose a password. A link shows that somebody reads the mailbox, and no more: a
 * contact with a second factor has to show that too, before anything changes.
 */
export function createFirstSignInPage(deps: FirstSignInDeps): LinkPages {
  const { store, clock } = deps;
  const linkedBy = async (query: Form): Promise<Linked | undefined> => {
    const secret = query.get("link");
    const link = secret === null ? undefined : await store.sessions.findLink(hashToken(secret));
    if (secret === null || link === undefined || link.endsAt <= clock.now()) return undefined;
    const contact = await store.contacts.find(link.accountId, link.contactId);
    if (contact === undefined || contact.role === "notify") return undefined;
    return { link, secret, contact, factors: await store.secondFactors.of(link) };
  };
  return {
    async ask(query, _form, request) {
      const linked = await linkedBy(query);
      const words = wordsFor(request);
      return linked === undefined ? endedPage(words) : formPage(deps, 200, { ...linked, words });
    },
    async act(query, form, request) {
      const linked = await linkedBy(query);
      const words = wordsFor(request);
      const refused = refusalOf(deps, request, linked && `${linked.link.contactId} link`);
      if (refused !== undefined) return refused;
      return linked === undefined
        ? endedPage(words)
        : signIn(deps, { ...linked, words }, { form, request });
    },
  };
}

async function signIn(
  deps: FirstSignInDeps,
  linked: Shown,
  { form, request }: { readonly form: Form; readonly request: PageRequest },
): Promise<LinkPage> {
  const { store, sessions, passwords, log } = deps;
  const { client, headers } = request;
  const { accountId, contactId } = linked.link;
  const of = { accountId, contactId };
  const { words } = linked;
  const password = form.get("password") ?? "";
  const mailbox = mailboxIn(form, linked.contact);
  const problem = passwordProblem(password, words) ?? mailbox.problem;
  if (problem !== undefined)
    return formPage(deps, 400, linked, { problem, mailbox: givenMailbox(form) });
  const prove = await proofOf(deps, { ...linked, of, form });
  const hash = await passwords.hash(password, knownAsker(contactId, client));
  const session = sessions.prepare(of, { client, agent: agentOf(headers) });
  const change = { hash, address: mailbox.address, addressId: deps.ids.address(), client };
  const end = await store.write(async (tx) => {
    if ((await tx.sessions.findLink(linked.link.digest)) === undefined) return "ended";
    const isAsked = needsSecondFactor(await tx.secondFactors.of(of));
    const proof = isAsked ? await prove(tx) : undefined;
    // guard: second factors before a new password
    if (proof !== undefined && proof.is !== "right") return proof;
    if (!(await choosePassword(deps, tx, { link: linked.link, ...change }))) return "ended";
    await session.signIn(tx, isAsked ? ["link", "second factor"] : ["link"]);
    return "signed in";
  });
  if (end === "ended") return endedPage(words);
  if (end === "signed in") {
    log.info("web.signed_in", { contact: contactId, from: client });
    return signedInPage(deps, { of, session, request });
  }
  countFailedSignIn(deps, [of], client);
  log.warn("web.second_factor_failed", { contact: contactId, from: client });
  return end.is === "held back"
    ? formPage(deps, 429, linked, { problem: heldBackText(end.forMs, words) })
    : formPage(deps, 403, linked, { problem: words.wrongCode });
}

interface Choice {
  readonly link: SignInLink;
  readonly hash: string;
  /** Of a contact that had none. */
  readonly address: string | undefined;
  readonly addressId: string;
  readonly client: string;
}

/** Uses the link up. False where somebody else has. */
async function choosePassword(
  deps: FirstSignInDeps,
  tx: Transaction,
  { link, hash, address, addressId, client }: Choice,
): Promise<boolean> {
  const { accountId, contactId, digest } = link;
  // guard: links to sign in
  if (!(await tx.sessions.removeLink(digest))) return false;
  const contact = await tx.contacts.find(accountId, contactId);
  if (contact === undefined) return false;
  if (mailboxOf(contact) === undefined && address !== undefined) {
    const confirmed = deps.isConfirmed({ kind: "email" });
    const added = { ...addressDefaults, kind: "email", id: addressId, confirmed, address } as const;
    await tx.contacts.update({ ...contact, addresses: [...contact.addresses, added] });
  }
  const isFirst = (await tx.contacts.passwordSetAt(accountId, contactId)) === undefined;
  await tx.contacts.setPassword({ accountId, contactId, hash, at: deps.clock.now() });
  const of = { accountId, contactId };
  await recordAccessChange(deps, tx, {
    of,
    change: "password",
    kind: "link",
    digest,
    client,
    isFirst,
  });
  return true;
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

function endedPage({ language, linkEnded }: LocalizedWords): LinkPage {
  return sessionPage(410, `<p>${linkEnded}</p>`, { language });
}

async function formPage(
  { url }: Pick<FirstSignInDeps, "url">,
  status: number,
  { secret, contact, factors, words }: Shown,
  refused?: { readonly problem: string; readonly mailbox?: string },
): Promise<LinkPage> {
  const mailbox = mailboxOf(contact);
  const name =
    mailbox === undefined
      ? mailboxField(words, refused?.mailbox)
      : `<p>${words.willSignInAs(escapeHtml(mailbox))}</p>`;
  const fields = `${name}${newPasswordField(words.password, words)}`;
  const action = `start?link=${encodeURIComponent(secret)}`;
  const content = `${fields}<p><button type="submit">${words.signInWithPasskey}</button></p>`;
  const passkey = await passkeyProofForm({ factors, url, secret, words }, { action, content });
  const code = needsSecondFactor(factors) ? codeField(codeLabel(factors, words)) : "";
  return sessionPage(
    status,
    `<h2>${words.choosePassword}</h2>${problemText(refused?.problem)}${passkey}<form method="post">${fields}${code}<p><button type="submit">${words.signIn}</button></p></form>`,
    { language: words.language },
  );
}

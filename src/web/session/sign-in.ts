import type { AuditEntry } from "../../domain/account/audit.ts";
import { handleOf } from "../../domain/account/token.ts";
import { knownAddressAsker, knownAsker, strangerAsker } from "../../kit/concurrency/askers.ts";
import type { Asker } from "../../kit/concurrency/costly-work.ts";
import { networksOf } from "../../kit/http/client-address.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { SignIn } from "../../store/tables/contacts.ts";
import type { FoundSession } from "../../store/tables/sessions.ts";
import type { LinkPage, LinkPages, PageRequest } from "../link-page.ts";
import { oidcPath } from "./oidc/oidc-sign-in.ts";
import { oidcProblemIn } from "./oidc/problems.ts";
import { countFailedSignIn } from "./access-changes.ts";
import { afterFirstFactor } from "./after-first-factor.ts";
import {
  givenMailbox,
  givenPassword,
  LONGEST_ACCOUNT_ID,
  mailboxField,
  MOST_ACCOUNTS,
  nextIn,
  passwordField,
  problemText,
  refusalOf,
  sessionPage,
  signedInBy,
  signedOutPage,
  type Form,
  type SessionPageDeps,
} from "./session-page.ts";
import { wordsFor } from "./words.ts";

/** Signs a contact in by email and password, and shows who is. */
export function createSignInPage(deps: SessionPageDeps): LinkPages {
  const { store, log } = deps;
  return {
    async ask(query, _form, request) {
      const found = await signedInBy(deps, request);
      return found === undefined
        ? formPage(deps, { status: 200, problem: oidcProblemIn(query), query, request })
        : statusPage(found, request);
    },
    async act(query, form, request) {
      const { mailbox, password, accountId } = given(form);
      const device = deps.devices.deviceOf(request.headers.cookie, mailbox);
      const found = await store.contacts.findSignIns({ mailbox, accountId, limit: MOST_ACCOUNTS });
      const network = await knownNetworkOf(deps, request, found);
      const refused = refusalOf(deps, request, mailbox, {
        /* guard: attempts of known browsers */ device,
        /* guard: attempts of known networks */ network,
      });
      if (refused !== undefined) return refused;
      const asker = await askerOf(deps, request, device);
      const signIn = await matching(deps, asker, { found, password });
      const page = signIn && (await signedIn(deps, request, { ...signIn, query }));
      if (page !== undefined) return page;
      countFailedSignIn(deps, found, request.client);
      log.warn("web.sign_in_failed", { from: request.client });
      const problem = wordsFor(request).wrongPassword;
      return formPage(deps, { status: 403, problem, query, mailbox, request });
    },
  };
}

/** Ends the session of the browser. */
export function createSignOutPage(deps: SessionPageDeps): LinkPages {
  const { store, cookie, log } = deps;
  return {
    ask: async () => signedOutPage,
    async act(_query, _form, request) {
      const found = await signedInBy(deps, request);
      const refused = refusalOf(deps, request, undefined, { device: found?.contact.id });
      if (refused !== undefined) return refused;
      const secret = cookie.read(request.headers.cookie);
      if (secret !== undefined) {
        await store.write(async ({ sessions, audit }) => {
          const isEnded = await sessions.remove(hashToken(secret));
          if (isEnded && found !== undefined)
            await audit.insert(signOutEntry(found, deps.clock.now(), request.client));
        });
        log.info("web.signed_out", { from: request.client });
      }
      return {
        ...signedOutPage,
        headers: { ...signedOutPage.headers, "set-cookie": cookie.clear() },
      };
    },
  };
}

function signOutEntry({ session, contact }: FoundSession, at: number, client: string): AuditEntry {
  const { accountId, contactId } = session;
  return {
    accountId,
    at,
    actor: { kind: "session", id: handleOf(session), name: contact.name, contactId },
    client,
    operation: "DELETE sessions",
    recordId: contactId,
    fields: [],
  };
}

function given(form: Form): {
  readonly mailbox: string;
  readonly password: string;
  readonly accountId: string | undefined;
} {
  return {
    mailbox: givenMailbox(form),
    password: givenPassword(form, "password"),
    accountId: (form.get("account") ?? "").slice(0, LONGEST_ACCOUNT_ID) || undefined,
  };
}

/** The network of the request, where one of these contacts is signed in from it. */
async function knownNetworkOf(
  { store, clock }: Pick<SessionPageDeps, "store" | "clock">,
  { client }: PageRequest,
  found: readonly SignIn[],
): Promise<string | undefined> {
  const { site } = networksOf(client);
  const now = clock.now();
  for (const { accountId, contactId } of found) {
    const sessions = await store.sessions.listOf(accountId, contactId);
    if (sessions.some((each) => each.endsAt > now && networksOf(each.client).site === site))
      return site;
  }
  return undefined;
}

/** Browsers and addresses that signed in before go ahead of strangers, of whom those go first whose network tried least. */
async function askerOf(
  { store, clock }: Pick<SessionPageDeps, "store" | "clock">,
  { client }: PageRequest,
  device: string | undefined,
): Promise<Asker> {
  if (device !== undefined) return knownAsker(`device ${device}`, client);
  const isKnown = await store.sessions.isClientKnown(client, clock.now());
  return isKnown ? knownAddressAsker(client) : strangerAsker(client);
}

/** Whose password it is. Where nobody has the mailbox, one is verified all the same. */
async function matching(
  { passwords }: Pick<SessionPageDeps, "passwords">,
  asker: Asker,
  { found, password }: { readonly found: readonly SignIn[]; readonly password: string },
): Promise<SignIn | undefined> {
  // guard: cost of unknown mailboxes
  if (found.length === 0) await passwords.verify(password, undefined, asker);
  for (const signIn of found)
    if (await passwords.verify(password, signIn.password, asker)) return signIn;
  return undefined;
}

/** Undefined where the password was changed meanwhile. */
async function signedIn(
  deps: SessionPageDeps,
  request: PageRequest,
  { accountId, contactId, password, query }: SignIn & { readonly query: Form },
): Promise<LinkPage | undefined> {
  return afterFirstFactor(deps, {
    of: { accountId, contactId },
    request,
    query,
    unit: async (tx) => (await tx.contacts.passwordOf(accountId, contactId)) === password,
  });
}

function formPage(
  deps: Pick<SessionPageDeps, "canSendMail" | "oidc" | "url">,
  {
    status,
    problem,
    query,
    mailbox,
    request,
  }: {
    readonly status: number;
    readonly problem: string | undefined;
    readonly query: Form;
    readonly mailbox?: string;
    readonly request: PageRequest;
  },
): LinkPage {
  const words = wordsFor(request);
  const { language, signIn, password, forgotPassword } = words;
  const forgotten = deps.canSendMail ? `<p><a href="forgot">${forgotPassword}</a></p>` : "";
  return sessionPage(
    status,
    `<h2>${signIn}</h2>${problemText(problem)}<form method="post">${mailboxField(words, mailbox)}${passwordField("password", password, "current-password")}<p><button type="submit">${signIn}</button></p></form>${forgotten}${oidcButton(deps, query)}`,
    { language },
  );
}

/** A link, for a form may lead to this installation alone; to the public address, to which the provider leads back. */
function oidcButton({ oidc, url }: Pick<SessionPageDeps, "oidc" | "url">, query: Form): string {
  if (oidc === undefined) return "";
  const wanted = { next: nextIn(query), account: query.get("account") ?? undefined };
  const given = Object.entries(wanted).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const parameters = given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
  return `<p><a class="button quiet" href="${escapeHtml(`${url}${oidcPath}${parameters}`)}">${escapeHtml(oidc.label)}</a></p>`;
}

function statusPage({ account, contact }: FoundSession, request: PageRequest): LinkPage {
  const { language, signedIn: title, signedInAs, ...words } = wordsFor(request);
  const who = signedInAs(escapeHtml(contact.name), contact.role, escapeHtml(account.name));
  return sessionPage(
    200,
    `<h2>${title}</h2><p>${who}</p><p><a href=".">${words.openDashboard}</a></p><p><a href="password">${words.changePassword}</a></p><p><a href="two-factor">${words.twoFactor}</a></p><form method="post" action="signout"><button type="submit">${words.signOut}</button></form>`,
    { language },
  );
}

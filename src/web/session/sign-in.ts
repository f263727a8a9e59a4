import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { SignIn } from "../../store/contacts.ts";
import type { FoundSession } from "../../store/identity/sessions.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { LinkPage, LinkPages, PageRequest } from "../link-page.ts";
import {
  agentOf,
  LONGEST_MAILBOX,
  mailboxField,
  PASSWORD,
  passwordField,
  refusalOf,
  sessionPage,
  signedInPage,
} from "./session-page.ts";
import type { Form, SessionPageDeps } from "./session-page.ts";

/** Contacts of several accounts may share a mailbox; the oldest come first, so that nobody who enters it elsewhere gets in their way. */
const MOST_ACCOUNTS = 3;

/** Signs a contact in by email and password, and shows who is. */
export function createSignInPage(deps: SessionPageDeps): LinkPages {
  const { store, sessions, cookie, log } = deps;
  return {
    async ask(_query, _form, { headers }) {
      const secret = cookie.read(headers.cookie);
      const found = secret === undefined ? undefined : await sessions.find(secret);
      return found === undefined ? formPage(200) : statusPage(found);
    },
    async act(query, form, request) {
      const { mailbox, password, accountId } = given(form);
      const refused = refusalOf(deps, request, mailbox);
      if (refused !== undefined) return refused;
      const found = await store.contacts.findSignIns({ mailbox, accountId, limit: MOST_ACCOUNTS });
      const signIn = await matching(deps, request, { found, password });
      const page = signIn && (await signedIn(deps, request, { ...signIn, query }));
      if (page !== undefined) return page;
      log.warn("web.sign_in_failed", { from: request.client });
      return formPage(403, "<p>The email or the password is not right.</p>");
    },
  };
}

/** Ends the session of the browser. */
export function createSignOutPage(deps: SessionPageDeps): LinkPages {
  const { store, cookie, log } = deps;
  const gone = sessionPage(303, "", { location: "signin" });
  return {
    ask: async () => gone,
    async act(_query, _form, request) {
      const refused = refusalOf(deps, request, undefined);
      if (refused !== undefined) return refused;
      const secret = cookie.read(request.headers.cookie);
      if (secret !== undefined) {
        await store.write((tx) => tx.sessions.remove(hashToken(secret)));
        log.info("web.signed_out", { from: request.client });
      }
      return { ...gone, headers: { ...gone.headers, "set-cookie": cookie.clear() } };
    },
  };
}

function given(form: Form): {
  readonly mailbox: string;
  readonly password: string;
  readonly accountId: string | undefined;
} {
  const text = (name: string, most: number): string => (form.get(name) ?? "").slice(0, most);
  return {
    mailbox: text("email", LONGEST_MAILBOX).trim().toLowerCase(),
    // Longer than any, so that none is cut to the right one.
    password: text("password", PASSWORD.longest + 1),
    accountId: text("account", 40) || undefined,
  };
}

/** Whose password it is. Where nobody has the mailbox, one is verified all the same. */
async function matching(
  { passwords }: Pick<SessionPageDeps, "passwords">,
  { client }: PageRequest,
  { found, password }: { readonly found: readonly SignIn[]; readonly password: string },
): Promise<SignIn | undefined> {
  if (found.length === 0) await passwords.verify(password, undefined, client);
  for (const signIn of found)
    if (await passwords.verify(password, signIn.password, client)) return signIn;
  return undefined;
}

/** Undefined where the password was changed meanwhile. */
async function signedIn(
  deps: SessionPageDeps,
  { headers, client }: PageRequest,
  { accountId, contactId, password, query }: SignIn & { readonly query: Form },
): Promise<LinkPage | undefined> {
  const from = { client, agent: agentOf(headers) };
  const session = deps.sessions.prepare({ accountId, contactId }, from);
  const isDone = await deps.store.write(async (tx) => {
    if ((await tx.contacts.passwordOf(accountId, contactId)) !== password) return false;
    await session.insert(tx);
    return true;
  });
  if (!isDone) return undefined;
  deps.log.info("web.signed_in", { contact: contactId, from: client });
  return signedInPage(deps, session, query);
}

function formPage(status: number, problem = ""): LinkPage {
  return sessionPage(
    status,
    `<h2>Sign in</h2>${problem}<form method="post">${mailboxField()}${passwordField("password", "Password", "current-password")}<p><button type="submit">Sign in</button></p></form>`,
  );
}

function statusPage({ account, contact }: FoundSession): LinkPage {
  const name = escapeHtml(contact.name);
  return sessionPage(
    200,
    `<h2>Signed in</h2><p>${name}, with the role ${contact.role} in ${escapeHtml(account.name)}.</p><p><a href=".">Open the dashboard</a></p><p><a href="password">Change the password</a></p><form method="post" action="signout"><button type="submit">Sign out</button></form>`,
  );
}

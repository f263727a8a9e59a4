import type { LinkPage, LinkPages } from "../link-page.ts";
import {
  agentOf,
  PASSWORD,
  passwordEntry,
  passwordField,
  passwordProblem,
  refusalOf,
  sessionPage,
  signedInPage,
} from "./session-page.ts";
import type { SessionPageDeps } from "./session-page.ts";

/** Changes the password of the contact that is signed in, which ends its other sessions. */
export function createChangePasswordPage(deps: SessionPageDeps): LinkPages {
  const { store, sessions, cookie, passwords, clock, log } = deps;
  const current = async (header: string | undefined) => {
    const secret = cookie.read(header);
    return secret === undefined ? undefined : sessions.find(secret);
  };
  return {
    ask: async (_query, _form, { headers }) =>
      (await current(headers.cookie)) === undefined ? signedOutPage : formPage(200),
    async act(_query, form, request) {
      const found = await current(request.headers.cookie);
      if (found === undefined) return signedOutPage;
      const { id: contactId } = found.contact;
      const { id: accountId } = found.account;
      const refused = refusalOf(deps, request, contactId);
      if (refused !== undefined) return refused;
      const next = form.get("password") ?? "";
      const problem = passwordProblem(next);
      if (problem !== undefined) return formPage(400, problem);
      const known = await store.contacts.passwordOf(accountId, contactId);
      const given = (form.get("current") ?? "").slice(0, PASSWORD.longest + 1);
      if (!(await passwords.verify(given, known, request.client)))
        return formPage(403, "The current password is not right.");
      const hash = await passwords.hash(next, request.client);
      const from = { client: request.client, agent: agentOf(request.headers) };
      const session = sessions.prepare({ accountId, contactId }, from);
      const isDone = await store.write(async (tx) => {
        if ((await tx.contacts.passwordOf(accountId, contactId)) !== known) return false;
        await tx.contacts.setPassword({ accountId, contactId, hash, at: clock.now() });
        await session.insert(tx);
        const changed = { ...session, client: request.client };
        await tx.audit.insert(passwordEntry(deps, { ...found.contact, accountId }, changed));
        return true;
      });
      if (!isDone) return formPage(409, "The password was changed meanwhile.");
      log.info("web.password_changed", { contact: contactId, from: request.client });
      return signedInPage(deps, session);
    },
  };
}

const signedOutPage: LinkPage = sessionPage(303, "", { location: "signin" });

function formPage(status: number, problem?: string): LinkPage {
  return sessionPage(
    status,
    `<h2>Change the password</h2>${problem === undefined ? "" : `<p>${problem}</p>`}<form method="post">${passwordField("current", "Current password", "current-password")}${passwordField("password", "New password", "new-password")}<p>You stay signed in here, and are signed out everywhere else.</p><p><button type="submit">Change it</button></p></form>`,
  );
}

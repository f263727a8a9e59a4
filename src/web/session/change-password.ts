import { knownAsker } from "../../kit/concurrency/askers.ts";
import type { LinkPage, LinkPages } from "../link-page.ts";
import { countFailedSignIn, recordAccessChange } from "./access-changes.ts";
import {
  agentOf,
  givenPassword,
  newPasswordField,
  passwordField,
  passwordProblem,
  problemText,
  refusalOf,
  sessionPage,
  signedInBy,
  signedInPage,
  signedOutPage,
  type SessionPageDeps,
} from "./session-page.ts";
import { wordsFor, type LocalizedWords } from "./words.ts";

/** Changes the password of the contact that is signed in, which ends its other sessions. */
export function createChangePasswordPage(deps: SessionPageDeps): LinkPages {
  const { store, sessions, passwords, clock, log } = deps;
  return {
    ask: async (_query, _form, request) =>
      (await signedInBy(deps, request)) === undefined
        ? signedOutPage
        : formPage(200, wordsFor(request)),
    async act(_query, form, request) {
      const found = await signedInBy(deps, request);
      if (found === undefined) return signedOutPage;
      const { id: contactId } = found.contact;
      const { id: accountId } = found.account;
      const refused = refusalOf(deps, request, undefined, { device: contactId });
      if (refused !== undefined) return refused;
      const words = wordsFor(request);
      const next = form.get("password") ?? "";
      const problem = passwordProblem(next, words);
      if (problem !== undefined) return formPage(400, words, problem);
      const known = await store.contacts.passwordOf(accountId, contactId);
      const asker = knownAsker(contactId, request.client);
      if (!(await passwords.verify(givenPassword(form, "current"), known, asker))) {
        countFailedSignIn(deps, [{ accountId, contactId }], request.client);
        return formPage(403, words, words.wrongCurrent);
      }
      const hash = await passwords.hash(next, asker);
      const from = { client: request.client, agent: agentOf(request.headers) };
      const session = sessions.prepare({ accountId, contactId }, from);
      const isDone = await store.write(async (tx) => {
        if ((await tx.contacts.passwordOf(accountId, contactId)) !== known) return false;
        await tx.contacts.setPassword({ accountId, contactId, hash, at: clock.now() });
        await session.insert(tx);
        const { digest } = session;
        const { client } = request;
        const of = { accountId, contactId };
        await recordAccessChange(deps, tx, {
          of,
          change: "password",
          kind: "session",
          digest,
          client,
        });
        return true;
      });
      if (!isDone) return formPage(409, words, words.changedMeanwhile);
      log.info("web.password_changed", { contact: contactId, from: request.client });
      return signedInPage(deps, { of: { accountId, contactId }, session, request });
    },
  };
}

function formPage(status: number, words: LocalizedWords, problem?: string): LinkPage {
  return sessionPage(
    status,
    `<h2>${words.changePassword}</h2>${problemText(problem)}<form method="post">${passwordField("current", words.currentPassword, "current-password")}${newPasswordField(words.nextPassword, words)}<p>${words.staysSignedIn}</p><p><button type="submit">${words.change}</button></p></form>`,
    { language: words.language },
  );
}

import { z } from "zod";

import { knownAsker } from "../../kit/concurrency/askers.ts";
import { Conflict, Forbidden } from "../../kit/errors.ts";
import { countFailedSignIn, recordAccessChange } from "./access-changes.ts";
import { signedInResponse } from "./after-first-factor.ts";
import {
  assertNewPassword,
  passwordField,
  prepareSession,
  sessionOperation,
  signedInAnswer,
} from "./visitor.ts";

export const changePassword = sessionOperation({
  summary: "Changes the password of who is signed in, which ends all other sessions",
  input: z.object({
    current: passwordField.describe("The password until now"),
    password: passwordField.describe("The new one, of at least 12 characters"),
  }),
  response: signedInResponse,
  async handle(deps, { current = "", password = "" }, { of, visitor }) {
    const { store, passwords, clock, log } = deps;
    const { accountId, contactId } = of;
    const { client } = visitor;
    assertNewPassword(password);
    const known = await store.contacts.passwordOf(accountId, contactId);
    const asker = knownAsker(contactId, client);
    if (!(await passwords.verify(current, known, asker))) {
      countFailedSignIn(deps, [of], client);
      throw new Forbidden("current: the password is not right");
    }
    const hash = await passwords.hash(password, asker);
    const session = prepareSession(deps, of, visitor);
    const isDone = await store.write(async (tx) => {
      if ((await tx.contacts.passwordOf(accountId, contactId)) !== known) return false;
      await tx.contacts.setPassword({ accountId, contactId, hash, at: clock.now() });
      await session.insert(tx);
      const { digest } = session;
      await recordAccessChange(deps, tx, {
        of,
        change: "password",
        kind: "session",
        digest,
        client,
      });
      return true;
    });
    if (!isDone) throw new Conflict("the password was changed meanwhile");
    log.info("web.password_changed", { contact: contactId, from: client });
    return signedInAnswer(deps, { of, session, visitor });
  },
});

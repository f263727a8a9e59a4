import type { Guard } from "../guard.ts";

const test = "test/access/second-factors.test.ts";
const forgotten = "test/access/forgotten-password.test.ts";

/** What is asked beside a password, and who is mailed a link in its place. */
export const secondFactorsGuards: Readonly<Record<string, Guard>> = {
  "second factors after passwords": {
    file: "src/web/session/after-first-factor.ts",
    text: "if (needsSecondFactor(factors))",
    without: "if (false)",
    test: {
      file: test,
      name: "with an authenticator app the password alone gives no access, and a code signs in",
    },
  },
  "second factors before a new password": {
    file: "src/web/session/first-sign-in.ts",
    text: '    if (proof !== undefined && proof.is !== "right") return proof;\n',
    without: "",
    test: {
      file: "test/access/second-factors.test.ts",
      name: "a mailbox alone changes no password of a contact with a second factor, and ends no session",
    },
  },
  "sessions after a change of second factors": {
    file: "src/web/session/two-factor-step.ts",
    text: "  await tx.sessions.endAll(of.contactId, digest);\n",
    without: "",
    test: {
      file: "test/access/second-factors.test.ts",
      name: "a change of second factors signs out all other browsers, and the person is told",
    },
  },
  "codes of an app count once": {
    file: "src/store/tables/second-factors.ts",
    text: '        .where("last_step", "<", step)\n',
    without: "",
    test: { file: test, name: "a code counts once, also for somebody who looks over a shoulder" },
  },
  "end of what waits for a second factor": {
    file: "src/web/session/verify.ts",
    text: "pending === undefined || pending.endsAt <= clock.now()",
    without: "pending === undefined",
    test: {
      file: test,
      name: "what follows the password ends after five minutes, and with the password",
    },
  },
  "wrong codes": {
    file: "src/store/transactions/prove-second-factor.ts",
    text: '  if (forMs > 0) return { is: "held back", forMs };\n',
    without: "",
    test: {
      file: test,
      name: "wrong codes are held back for longer and longer, and a recovery code still signs in",
    },
  },
  "attempts at second factors": {
    file: "src/web/session/verify.ts",
    text: "      if (refused !== undefined) return refused;\n",
    without: "",
    test: {
      file: test,
      name: "attempts are limited for each client and contact, before any code is looked at",
    },
  },
  "passwords for second factors": {
    file: "src/web/session/two-factor.ts",
    text: "        withoutPassword.has(step) ||\n",
    without: "        true ||\n",
    test: {
      file: test,
      name: "recovery codes are made anew and an app is removed by the password, and the audit log says so",
    },
  },
  "keys of authenticator apps": {
    file: "src/store/tables/second-factors.ts",
    text: "sealed: sealer.seal(secret, contextOf(totp)),",
    without: "sealed: Buffer.from(secret),",
    test: {
      file: test,
      name: "the key of an app is stored sealed, and no code of recovery is stored at all",
    },
  },
  "links to confirmed mailboxes": {
    file: "src/store/transactions/mail-sign-in-link.ts",
    text: '  if (!confirmed && !(await contacts.isConfirmed(account.id, to))) return "not confirmed";\n',
    without: "",
    test: {
      file: forgotten,
      name: "a contact that only gets alerts, and a mailbox that is not confirmed, get no link",
    },
  },
  "origin of passkeys": {
    file: "src/web/session/passkeys.ts",
    text: "    expectedOrigin: origin,\n",
    without: '    expectedOrigin: [origin, "https://evil.example"],\n',
    test: {
      file: "test/access/passkeys.test.ts",
      name: "what a passkey signed on another site signs nobody in",
    },
  },
  "challenge of passkeys": {
    file: "src/web/session/passkeys.ts",
    text: '    expectedChallenge: challengeOf(secret).toString("base64url"),\n',
    without: "    expectedChallenge: () => true,\n",
    test: {
      file: "test/access/passkeys.test.ts",
      name: "what a passkey signed for another form signs nobody in",
    },
  },
};

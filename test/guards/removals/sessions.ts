import type { Guard } from "../guard.ts";

const signIn = "test/access/sign-in.test.ts";
const costlyWork = "src/kit/concurrency/costly-work.test.ts";
const access = "test/access/access.test.ts";

/** Who may do what, and what shows who it is. */
export const sessionsGuards: Readonly<Record<string, Guard>> = {
  "what a caller may do": {
    file: "src/api/http/handle-request.ts",
    text: "    assertAccess(scope, operation.needs);\n",
    without: "",
    test: {
      file: access,
      name: "every operation is for those who may do what it needs, and changes nothing for anybody else",
    },
  },
  "credentials of checks": {
    file: "src/api/resources/checks/response.ts",
    text: "redaction.parameters(check)",
    without: "check.parameters",
    test: {
      file: access,
      name: "a token that only reads is shown no credential, and starts no diagnostics",
    },
  },
  "end of tokens": {
    file: "src/api/http/auth.ts",
    text: "  if (token.expiresAt !== undefined && token.expiresAt <= now) return undefined;\n",
    without: "",
    test: {
      file: "src/api/resources/tokens.test.ts",
      name: "a token ends when it was said to, as if it had never been",
    },
  },
  "streams of one caller": {
    file: "src/api/resources/updates/live-updates.ts",
    text: "slots.countOf(own) >= MOST_OF_CALLER || ",
    without: "",
    test: {
      file: "src/api/resources/updates/updates.test.ts",
      name: "one token has a dozen streams, and another one goes on when one of them is closed",
    },
  },
  "streams after their session": {
    file: "src/api/resources/updates/live-updates.ts",
    text: "  if (!mayStay) reader.close();\n  else if",
    without: "  if",
    test: {
      file: "src/api/resources/updates/updates.test.ts",
      name: "a stream says that it lives, and ends with the session, the token and the server",
    },
  },
  "sessions by GET": {
    file: "src/api/http/callers/session-caller.ts",
    text: 'if (effect === "write" && isRead)',
    without: "if (false)",
    test: { file: signIn, name: "a session changes nothing by GET, nor from another site" },
  },
  "requests of other sites": {
    file: "src/api/http/callers/session-caller.ts",
    text: "if (isRead ? isFromElsewhere(headers) : !isSameOrigin(headers, url))",
    without: "if (false)",
    test: { file: signIn, name: "a session changes nothing by GET, nor from another site" },
  },
  "forms of other sites": {
    file: "src/web/session/session-page.ts",
    text: "if (!isSameOrigin(headers, url))",
    without: "if (false)",
    test: {
      file: signIn,
      name: "no form of another site signs anybody in or out, or changes a password",
    },
  },
  "attributes of cookies": {
    file: "src/kit/http/session-cookie.ts",
    text: "; HttpOnly; SameSite=Strict",
    without: "",
    test: {
      file: signIn,
      name: "the cookie is kept from scripts, other sites and plain HTTP",
    },
  },
  "attempts to sign in": {
    file: "src/web/session/session-page.ts",
    text: "if (keys.every((key) => attempts.spend(key, 1))) return undefined;",
    without: "return undefined;",
    test: { file: signIn, name: "attempts are limited for each mailbox and each client address" },
  },
  "lanes of passwords": {
    file: "src/kit/concurrency/costly-work.ts",
    text: "  if (one.lane !== other.lane) return one.lane < other.lane;\n",
    without: "",
    test: {
      file: costlyWork,
      name: "browsers that signed in before go first, then accounts and addresses that did, then strangers",
    },
  },
  "order of strangers": {
    file: "src/kit/concurrency/costly-work.ts",
    text: "  if (one.cost !== other.cost) return one.cost < other.cost;\n",
    without: "",
    test: {
      file: costlyWork,
      name: "while 256 networks of IPv4 send 24 attempts a second, honest people wait less than two seconds",
    },
  },
  "networks of strangers": {
    file: "src/kit/concurrency/askers.ts",
    text: "    { key: `network ${holder}`, weight: WEIGHT_OF_HOLDER },\n",
    without: "",
    test: {
      file: costlyWork,
      name: "networks of IPv6 are counted by /56, and by the /48 that holds many",
    },
  },
  "known addresses that ask too much": {
    file: "src/kit/concurrency/askers.ts",
    text: "mostCost: MOST_OF_ADDRESS",
    without: "mostCost: Infinity",
    test: {
      file: costlyWork,
      name: "a known address that asks more than a person waits as a stranger",
    },
  },
  "a place that strangers leave": {
    file: "src/kit/concurrency/costly-work.ts",
    text: "running.strangers >= mostOfStrangers",
    without: "false",
    test: {
      file: costlyWork,
      name: "strangers leave a place free, so that nobody else waits for one of theirs to end",
    },
  },
  "passwords that wait": {
    file: "src/kit/concurrency/costly-work.ts",
    text: "waiting.size > mostWaiting",
    without: "false",
    test: {
      file: costlyWork,
      name: "of too many that wait the last in line is refused at once, and whoever waits too long",
    },
  },
  "threads of their own for passwords": {
    file: "src/kit/crypto/password-threads.ts",
    text: "  const thread = freeThread();\n",
    without:
      '  const thread = freeThread();\n  const { hashPassword, verifyPassword } = await import("./password.ts");\n  if (thread) return job.stored === undefined ? hashPassword(job.plain) : verifyPassword(job.plain, job.stored);\n',
    test: {
      file: "src/kit/crypto/password-threads.test.ts",
      name: "the event loop and libuv's threads are free while all threads hash",
    },
  },
  "attempts of known browsers": {
    file: "src/web/session/sign-in.ts",
    text: "refusalOf(deps, request, mailbox, { device, network })",
    without: "refusalOf(deps, request, mailbox, { network })",
    test: {
      file: signIn,
      name: "a browser that signed in before has attempts of its own, with that mailbox alone",
    },
  },
  "attempts of known networks": {
    file: "src/web/session/sign-in.ts",
    text: "refusalOf(deps, request, mailbox, { device, network })",
    without: "refusalOf(deps, request, mailbox, { device })",
    test: {
      file: signIn,
      name: "an owner with a new browser signs in from a network that signed in before, while strangers use up the attempts of the mailbox",
    },
  },
  "mailboxes of known browsers": {
    file: "src/kit/http/device-cookie.ts",
    text: "JSON.stringify([mailbox, nonce, endsAt])",
    without: "JSON.stringify([nonce, endsAt])",
    test: {
      file: "src/kit/http/device-cookie.test.ts",
      name: "a browser is known for the mailbox that signed in there, and for no other",
    },
  },
  "cost of unknown mailboxes": {
    file: "src/web/session/sign-in.ts",
    text: "  if (found.length === 0) await passwords.verify(password, undefined, asker);\n",
    without: "",
    test: {
      file: signIn,
      name: "a wrong password and an address that nobody has are answered alike, at the same cost",
    },
  },
  "sessions and passwords": {
    file: "src/store/tables/contacts/contacts.ts",
    text: "      await endSignIns(db, contactId);\n",
    without: "",
    test: {
      file: signIn,
      name: "a new password needs the current one, ends all other sessions, and keeps the browser signed in",
    },
  },
  "sessions after a change of role or mailbox": {
    file: "src/store/tables/contacts/contacts.ts",
    text: "      if (await changesSignIn(db, contact)) await endSignIns(db, id);\n",
    without: "",
    test: {
      file: signIn,
      name: "a change of role or mailbox ends sessions for good, also where it is taken back, and the person is told",
    },
  },
  "failed sign-ins as one entry": {
    file: "src/store/tables/audit.ts",
    text: "if (known === undefined) return",
    without: "if (true) return",
    test: {
      file: signIn,
      name: "sign-ins, failures and sign-outs are in the audit log, the failures of an hour as one entry",
    },
  },
  "sessions without use": {
    file: "src/domain/account/session.ts",
    text: "endsAt <= now || usedAt + idleMs <= now",
    without: "false",
    test: {
      file: signIn,
      name: "a session ends where nobody uses it, and at the latest after its lifetime",
    },
  },
  "links to sign in": {
    file: "src/web/session/first-sign-in.ts",
    text: "if (!(await tx.sessions.removeLink(digest))) return false;",
    without: "",
    test: {
      file: signIn,
      name: "a link signs in once, sets the password, and asks for an email where there is none",
    },
  },
};

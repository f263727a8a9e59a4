import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { mailCheckContract } from "../../../test/contracts/mail-check.ts";
import { mailServerContract } from "../../../test/contracts/mail-server.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { lineServer } from "../../../test/peers/line-server.ts";
import { tcpPeer, type Peer } from "../../../test/peers/tcp.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { trustedCertificate } from "../../../test/peers/trusted-certificate.ts";
import { dovecot } from "../../../test/servers/dovecot.ts";
import { imap4Check } from "./imap4.ts";

checkParametersContract(imap4Check, {
  least: { target: "192.0.2.1" },
  leastReads: { target: "192.0.2.1", secure: false, verify: false, ipv6: false },
  full: {
    target: "mail.example.com",
    port: 993,
    secure: "ssl",
    verify: "true",
    warningdays: 0,
    username: "alice",
    password: "s3cret; drop",
    email: "alice@example.com",
    ipv6: false,
  },
  fullReads: {
    target: "mail.example.com",
    port: 993,
    secure: "ssl",
    verify: true,
    warningdays: 0,
    username: "alice",
    password: "s3cret; drop",
    email: "alice@example.com",
    ipv6: false,
  },
});

const greeting = "* OK ready\r\n";
const capability = "* CAPABILITY IMAP4rev1\r\n";
const answers = {
  "a STARTTLS": "a OK go\r\n",
  b: `${capability}b OK\r\n`,
  c: "c OK welcome\r\n",
};
const certificate = trustedCertificate();
const target = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });

checkTypeContract(imap4Check, {
  healthy: () => tcpPeer(lineServer({ greeting, answers })),
  parameters: target,
  endings: {
    silence: "timeout",
    drip: "protocol",
    garbage: "protocol",
    reset: "protocol",
    close: "protocol",
    flood: "protocol",
  },
});

checkTypeContract(imap4Check, {
  name: "IMAP4 over TLS",
  healthy: () => tlsPeer(certificate, lineServer({ greeting, answers })),
  parameters: (peer) => ({ ...target(peer), secure: "ssl", verify: true }),
  endings: {
    silence: "timeout",
    drip: "tls",
    garbage: "tls",
    reset: "protocol",
    close: "protocol",
    flood: "tls",
  },
});

mailCheckContract(imap4Check, {
  ports: { false: 143, ssl: 993, starttls: 143 },
  greeting,
  answers,
  tls: { command: "a STARTTLS", refusal: "a NO\r\n" },
  repeats: [
    { c: "c NO <line>\r\n" },
    { c: "c BAD [<line>] no\r\n" },
    { c: "* BYE <line>\r\n<line>\r\n" },
    { c: "+ <line>\r\n" },
  ],
});

const credentials = { username: "alice", password: "secret" };
const LOGIN = 'c LOGIN "alice" "secret"';
const noLogin = {
  reason: "auth",
  message: "Login failed",
  says: ["b CAPABILITY", LOGIN, "d LOGOUT"],
};

interface Row {
  readonly name: string;
  readonly greeting?: string;
  readonly answers?: Readonly<Record<string, string>>;
  readonly parameters?: object;
  readonly reason?: string;
  readonly text: string;
  /** The text unless given. */
  readonly message?: string;
  /** Every line that the server receives; not compared unless given. */
  readonly says?: readonly string[];
}

const rows: readonly Row[] = [
  { name: "a greeting", text: "Connected", says: ["d LOGOUT"] },
  { name: "a greeting in lower case", greeting: "* ok\r\n", text: "Connected" },
  {
    name: "a greeting to who is known",
    greeting: "* PREAUTH hello\r\n",
    parameters: credentials,
    text: "Connected",
    says: ["d LOGOUT"],
  },
  {
    name: "such a greeting where TLS was wanted",
    greeting: "* PREAUTH hello\r\n",
    parameters: { ...credentials, secure: "starttls" },
    reason: "tls",
    text: "TLS error",
    message: "TLS error: logged in before STARTTLS",
    says: ["d LOGOUT"],
  },
  {
    name: "a refusal",
    greeting: "* BYE too busy\r\n",
    reason: "status",
    text: "Refused",
    message: 'Refused: "* BYE too busy"',
  },
  {
    name: "another protocol",
    greeting: "220 ready\r\n",
    reason: "protocol",
    text: "Protocol error",
    message: 'Protocol error: not a greeting: "220 ready"',
  },
  {
    name: "a login",
    parameters: credentials,
    text: "Login success",
    says: ["b CAPABILITY", LOGIN, "d LOGOUT"],
  },
  {
    name: "a login with what nobody asked for before it",
    parameters: credentials,
    answers: { c: `${capability}* 3 EXISTS\r\nC ok [READ-WRITE]\r\n` },
    text: "Login success",
  },
  {
    name: "a login that ends the connection",
    parameters: credentials,
    answers: { c: "c OKAY\r\n" },
    reason: "protocol",
    text: "Protocol error",
    message: "Protocol error: not an answer to the command",
  },
  {
    name: "a mailbox as the user",
    parameters: { email: "a@b.test", password: "x" },
    text: "Login success",
    says: ["b CAPABILITY", 'c LOGIN "a@b.test" "x"', "d LOGOUT"],
  },
  {
    name: "a mailbox beside a user",
    parameters: { ...credentials, email: "a@b.test" },
    text: "Login success",
    says: noLogin.says,
  },
  {
    name: "a mailbox without a password",
    parameters: { email: "a@b.test" },
    text: "Connected",
    says: ["d LOGOUT"],
  },
  {
    name: "a user without a password",
    parameters: { username: "alice" },
    text: "Connected",
    says: ["d LOGOUT"],
  },
  {
    name: "a login that is refused",
    parameters: credentials,
    answers: { c: "c NO\r\n" },
    ...noLogin,
    text: "Login failed",
  },
  {
    name: "a login that is refused, and why",
    parameters: credentials,
    answers: { c: "c NO [AuthenticationFailed] alice who\r\n" },
    ...noLogin,
    text: "AUTHENTICATIONFAILED",
  },
  {
    name: "a login that is refused with a code of the server's own",
    parameters: credentials,
    answers: { c: "c NO [SECRET] no\r\n" },
    ...noLogin,
    text: "Login failed",
  },
  {
    name: "a server that takes no password in the clear",
    parameters: credentials,
    answers: { b: "* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED\r\nb OK\r\n" },
    reason: "auth",
    text: "PRIVACYREQUIRED",
    message: "Login failed: the server wants TLS before a login",
    says: ["b CAPABILITY", "d LOGOUT"],
  },
  {
    name: "quotes in credentials",
    parameters: { username: 'a"b', password: "c\\ d" },
    text: "Login success",
    says: ["b CAPABILITY", String.raw`c LOGIN "a\"b" "c\\ d"`, "d LOGOUT"],
  },
  {
    name: "letters beyond ASCII in credentials",
    parameters: { username: "älice", password: "sécret" },
    answers: { "c LOGIN {6}": "+ go\r\n", "älice {7}": "+ go\r\n", sécret: "c OK\r\n" },
    text: "Login success",
    says: ["b CAPABILITY", "c LOGIN {6}", "älice {7}", "sécret", "d LOGOUT"],
  },
  {
    name: "letters beyond ASCII in a password alone",
    parameters: { username: "alice", password: "sécret" },
    answers: { 'c LOGIN "alice" {7}': "+\r\n", sécret: "c OK\r\n" },
    text: "Login success",
  },
  {
    name: "letters beyond ASCII that are not waited for",
    parameters: { username: "älice", password: "secret" },
    answers: { "c LOGIN {6}": "c NO\r\n" },
    ...noLogin,
    text: "Login failed",
    says: ["b CAPABILITY", "c LOGIN {6}", "d LOGOUT"],
  },
];

for (const row of rows) {
  test(`${row.name} ends as ${row.text}`, async () => {
    const received: string[] = [];
    const said = { greeting, ...row, answers: { ...answers, ...row.answers }, received };
    await using peer = await tcpPeer(lineServer(said));
    const { passed, reason, text, message } = await imap4Check
      .prepare({ ...target(peer), ...row.parameters })
      .run(contextOf());
    const wanted = row.reason ?? "ok";
    assert.deepEqual(
      [passed, reason, text, message],
      [wanted === "ok", wanted, row.text, row.message ?? row.text],
    );
    await waitFor("the connection closed", () => peer.open() === 0);
    if (row.says !== undefined) assert.deepEqual(received, row.says);
  });
}

/** Parses the two arguments of LOGIN as a server does. */
function unquote(line = ""): readonly string[] {
  const quoted = /"((?:[^"\\]|\\["\\])*)"/.source;
  const [, ...values] = new RegExp(`^c LOGIN ${quoted} ${quoted}$`).exec(line) ?? [];
  return values.map((value) => value.replaceAll(/\\(.)/g, "$1"));
}

test("no credentials are anything but two arguments of one command", async () => {
  const received: string[] = [];
  await using peer = await tcpPeer(lineServer({ greeting, answers, received }));
  const word = fc.stringMatching(/^[\x20-\x7e]{1,20}$/);
  await fc.assert(
    fc.asyncProperty(word, word, async (username, password) => {
      received.length = 0;
      await imap4Check.prepare({ ...target(peer), username, password }).run(contextOf());
      await waitFor("a farewell", () => received.includes("d LOGOUT"));
      assert.deepEqual(received.length, 3);
      assert.deepEqual(unquote(received[1]), [username, password]);
    }),
    { numRuns: 50 },
  );
});

const serverOf = mailServerContract(imap4Check, {
  name: "dovecot",
  credentials,
  leaves: /imap\(alice\).* Logged out/,
  async start() {
    const server = await dovecot(certificate, credentials.password);
    return { ...server, plain: server.imap, secure: server.imaps };
  },
});

for (const username of ['al"ice', "al\\ice", "älice", "alice cooper"]) {
  test(`dovecot knows ${username} by that name`, async () => {
    const { plain: port, log } = serverOf();
    const { text } = await imap4Check
      .prepare({ target: "127.0.0.1", port, ...credentials, username })
      .run(contextOf());
    assert.equal(text, "Login success");
    await waitFor("it is in the log", () => log().includes(`Login: user=<${username}>`));
  });
}

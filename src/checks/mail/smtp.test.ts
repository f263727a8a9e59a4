import assert from "node:assert/strict";
import test from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { mailCheckContract } from "../../../test/contracts/mail-check.ts";
import { mailServerContract } from "../../../test/contracts/mail-server.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { lineServer } from "../../../test/peers/line-server.ts";
import { tcpPeer, type Peer } from "../../../test/peers/tcp.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { trustedCertificate } from "../../../test/peers/trusted-certificate.ts";
import { exim } from "../../../test/servers/exim.ts";
import { smtpCheck } from "./smtp.ts";

checkParametersContract(smtpCheck, {
  least: { target: "mx.example.com" },
  leastReads: {
    target: "mx.example.com",
    secure: false,
    verify: false,
    invert: false,
    ipv6: false,
  },
  full: {
    target: "mx.example.com",
    port: 587,
    secure: "starttls",
    verify: "false",
    warningdays: 30,
    username: "alice",
    password: "s3cret; drop",
    email: "bob@example.com",
    invert: "true",
    ipv6: false,
  },
  fullReads: {
    target: "mx.example.com",
    port: 587,
    secure: "starttls",
    verify: false,
    warningdays: 30,
    username: "alice",
    password: "s3cret; drop",
    email: "bob@example.com",
    invert: true,
    ipv6: false,
  },
});

const greeting = "220 mx.test ready\r\n";
const answers = {
  EHLO: "250-mx.test\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n",
  HELO: "250 mx.test\r\n",
  STARTTLS: "220 go\r\n",
  AUTH: "235 welcome\r\n",
  MAIL: "250 ok\r\n",
  RCPT: "250 ok\r\n",
};
const onlyLogin = {
  EHLO: "250-mx.test\r\n250 AUTH=LOGIN\r\n",
  "AUTH LOGIN": "334 VXNlcm5hbWU6\r\n",
  "YWxpY2U=": "334 UGFzc3dvcmQ6\r\n",
  c2VjcmV0: "235\r\n",
};
const certificate = trustedCertificate();
const target = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });

checkTypeContract(smtpCheck, {
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

checkTypeContract(smtpCheck, {
  name: "SMTP over TLS",
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

mailCheckContract(smtpCheck, {
  ports: { false: 25, ssl: 465, starttls: 25 },
  greeting,
  answers,
  tls: { command: "STARTTLS", refusal: "454 no\r\n" },
  repeats: [
    { AUTH: "535 <line>\r\n" },
    { AUTH: "<line>\r\n" },
    { ...onlyLogin, "YWxpY2U=": "535 <line>\r\n" },
    { ...onlyLogin, "YWxpY2U=": "<line>\r\n" },
  ],
});

const credentials = { username: "alice", password: "secret" };
const email = "bob@mx.test";
const PLAIN = "AUTH PLAIN AGFsaWNlAHNlY3JldA==";
const RECIPIENT = ["MAIL FROM:<>", "RCPT TO:<bob@mx.test>"];

interface Row {
  readonly name: string;
  readonly greeting?: string;
  readonly answers?: Readonly<Record<string, string>>;
  readonly parameters?: object;
  readonly reason?: string;
  readonly text: string;
  readonly message: string;
  /** Commands received between HELO and QUIT; not compared by default. */
  readonly says?: readonly string[];
}

const rows: readonly Row[] = [
  { name: "a greeting", text: "220", message: "Connected", says: [] },
  {
    name: "a long greeting",
    greeting: "220-mx.test\r\n220 ready\r\n",
    text: "220",
    message: "Connected",
  },
  {
    name: "a server of old",
    answers: { EHLO: "502 what\r\n" },
    text: "220",
    message: "Connected",
    says: ["HELO"],
  },
  ...["421 too busy", "554 not you"].map((line) => ({
    name: `${line} for a greeting`,
    greeting: `${line}\r\n`,
    reason: "status",
    text: line.slice(0, 3),
    message: `Refused: "${line}"`,
  })),
  {
    name: "a refusal after the greeting",
    answers: { EHLO: "421-mx.test\r\n421 too busy\r\n" },
    reason: "status",
    text: "421",
    message: 'Refused: "421 mx.test"',
    says: [],
  },
  {
    name: "a refusal of old and new",
    answers: { EHLO: "502 what\r\n", HELO: "550 not you\r\n" },
    reason: "status",
    text: "550",
    message: 'Refused: "550 not you"',
  },
  {
    name: "another protocol",
    greeting: "+OK ready\r\n",
    reason: "protocol",
    text: "Protocol error",
    message: 'Protocol error: not a reply: "+OK ready"',
  },
  {
    name: "a login",
    parameters: credentials,
    text: "235",
    message: "Connected, auth success",
    says: [PLAIN],
  },
  {
    name: "a login in two steps",
    parameters: credentials,
    answers: onlyLogin,
    text: "235",
    message: "Connected, auth success",
    says: ["AUTH LOGIN", "YWxpY2U=", "c2VjcmV0"],
  },
  {
    name: "a login that is asked for twice",
    parameters: credentials,
    answers: {
      "AUTH PLAIN AGFsaWNlAHNlY3JldA==": "334 \r\n",
      "AGFsaWNlAHNlY3JldA==": "235 in\r\n",
    },
    text: "235",
    message: "Connected, auth success",
    says: [PLAIN, "AGFsaWNlAHNlY3JldA=="],
  },
  {
    name: "a login that is offered in the second of two lines",
    parameters: credentials,
    answers: { EHLO: "250-mx.test\r\n250-AUTH GSSAPI NTLM\r\n250 AUTH=PLAIN\r\n" },
    text: "235",
    message: "Connected, auth success",
    says: [PLAIN],
  },
  {
    name: "a login that is refused",
    parameters: credentials,
    answers: { AUTH: "535 5.7.8 no\r\n" },
    reason: "auth",
    text: "535",
    message: "Login failed",
    says: [PLAIN],
  },
  {
    name: "a login that is refused at its first step",
    parameters: credentials,
    answers: { ...onlyLogin, "AUTH LOGIN": "454 later\r\n" },
    reason: "auth",
    text: "454",
    message: "Login failed",
    says: ["AUTH LOGIN"],
  },
  ...["250 mx.test\r\n", "250-mx.test\r\n250 AUTH CRAM-MD5 XPLAIN\r\n"].map((EHLO) => ({
    name: "a server that offers no login that we know",
    parameters: credentials,
    answers: { EHLO },
    reason: "auth",
    text: "Login failed",
    message: "Login failed: neither PLAIN nor LOGIN is offered",
    says: [],
  })),
  {
    name: "a user without a password",
    parameters: { username: "alice" },
    text: "220",
    message: "Connected",
    says: [],
  },
  ...["250 ok", "251 elsewhere"].map((line) => ({
    name: `${line} for the recipient`,
    parameters: { email },
    answers: { RCPT: `${line}\r\n` },
    text: line.slice(0, 3),
    message: "Email for address bob@mx.test was accepted",
    says: RECIPIENT,
  })),
  ...["550 who", "451 later", "252 maybe"].map((line) => ({
    name: `${line} for the recipient`,
    parameters: { email },
    answers: { RCPT: `${line}\r\n` },
    reason: "mismatch",
    text: line.slice(0, 3),
    message: "Email for address bob@mx.test was rejected",
    says: RECIPIENT,
  })),
  {
    name: "a recipient that is to be rejected",
    parameters: { email, invert: true },
    answers: { RCPT: "454 relay access denied\r\n" },
    text: "454",
    message: "Email for address bob@mx.test was rejected",
    says: RECIPIENT,
  },
  {
    name: "a recipient that was to be rejected",
    parameters: { email, invert: true },
    reason: "mismatch",
    text: "250",
    message: "Email for address bob@mx.test was accepted",
    says: RECIPIENT,
  },
  ...[false, true].map((invert) => ({
    name: `a server that closes at the recipient, inverted ${invert},`,
    parameters: { email, invert },
    answers: { RCPT: "421 too busy\r\n" },
    reason: "status",
    text: "421",
    message: "The server closes",
    says: RECIPIENT,
  })),
  ...[false, true].map((invert) => ({
    name: `a server that refuses the sender, inverted ${invert},`,
    parameters: { email, invert },
    answers: { MAIL: "550 no\r\n" },
    reason: "status",
    text: "550",
    message: "The empty sender was rejected",
    says: ["MAIL FROM:<>"],
  })),
  {
    name: "a recipient beyond ASCII",
    parameters: { email: "böb@mx.test" },
    text: "250",
    message: "Email for address böb@mx.test was accepted",
    says: ["MAIL FROM:<> SMTPUTF8", "RCPT TO:<böb@mx.test>"],
  },
  {
    name: "a login and a recipient",
    parameters: { ...credentials, email },
    text: "250",
    message: "Email for address bob@mx.test was accepted",
    says: [PLAIN, ...RECIPIENT],
  },
  {
    name: "invert without a recipient",
    parameters: { invert: true },
    text: "220",
    message: "Connected",
    says: [],
  },
];

for (const row of rows) {
  test(`${row.name} ends as ${row.text}: ${row.message}`, async () => {
    const received: string[] = [];
    const said = { greeting, ...row, answers: { ...answers, ...row.answers }, received };
    await using peer = await tcpPeer(lineServer(said));
    const { passed, reason, text, message } = await smtpCheck
      .prepare({ ...target(peer), ...row.parameters })
      .run(contextOf());
    const { reason: wanted = "ok" } = row;
    assert.deepEqual(
      [passed, reason, text, message],
      [wanted === "ok", wanted, row.text, row.message],
    );
    await waitFor("the connection closed", () => peer.open() === 0);
    if (row.says === undefined) return;
    const [hello = "", ...rest] = received.map((line) => line.replace(/^(HELO) .*/, "$1"));
    assert.match(hello, /^EHLO [\w.-]+\.[\w-]+$/);
    assert.deepEqual(rest, [...row.says, "QUIT"]);
  });
}

const serverOf = mailServerContract(smtpCheck, {
  name: "exim",
  credentials,
  leaves: /connection from .* closed by QUIT/,
  async start() {
    const server = await exim(certificate, credentials);
    return { ...server, plain: server.smtp, secure: server.smtps };
  },
});

const recipients = [
  { email: "bob@good.test", invert: false, passed: true, text: "250" },
  { email: "bob@good.test", invert: true, passed: false, text: "250" },
  { email: "bob@other.test", invert: false, passed: false, text: "550" },
  { email: "bob@other.test", invert: true, passed: true, text: "550" },
  { email: "böb@good.test", invert: false, passed: true, text: "250" },
];
for (const { email, invert, ...wanted } of recipients) {
  test(`exim is asked for ${email}, inverted ${invert}`, async () => {
    const { passed, text } = await smtpCheck
      .prepare({ target: "127.0.0.1", port: serverOf().plain, email, invert })
      .run(contextOf());
    assert.deepEqual({ passed, text }, wanted);
  });
}

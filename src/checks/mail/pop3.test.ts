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
import { dovecot } from "../../../test/servers/dovecot.ts";
import { pop3Check } from "./pop3.ts";

checkParametersContract(pop3Check, {
  least: { target: "mail.example.com" },
  leastReads: { target: "mail.example.com", secure: false, verify: false, ipv6: false },
  full: {
    target: "mail.example.com.",
    port: 995,
    secure: "ssl",
    verify: true,
    warningdays: "14",
    username: "alice",
    password: "s3cret; drop",
    ipv6: false,
  },
  fullReads: {
    target: "mail.example.com.",
    port: 995,
    secure: "ssl",
    verify: true,
    warningdays: 14,
    username: "alice",
    password: "s3cret; drop",
    ipv6: false,
  },
});

const greeting = "+OK ready\r\n";
const answers = { STLS: "+OK go\r\n", USER: "+OK\r\n", PASS: "+OK welcome\r\n" };
const certificate = trustedCertificate();
const target = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });

checkTypeContract(pop3Check, {
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

checkTypeContract(pop3Check, {
  name: "POP3 over TLS",
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

mailCheckContract(pop3Check, {
  ports: { false: 110, ssl: 995, starttls: 110 },
  greeting,
  answers,
  tls: { command: "STLS", refusal: "-ERR no\r\n" },
  repeats: [
    { USER: "-ERR <line>\r\n" },
    { USER: "<line>\r\n" },
    { PASS: "-ERR <line>\r\n" },
    { PASS: "<line>\r\n" },
  ],
});

const credentials = { username: "alice", password: "secret" };

interface Row {
  readonly name: string;
  readonly greeting?: string;
  readonly answers?: Readonly<Record<string, string>>;
  readonly parameters?: object;
  readonly reason?: string;
  readonly text: string;
  readonly message: string;
  /** Every line that the server receives; not compared unless given. */
  readonly says?: readonly string[];
}

const rows: readonly Row[] = [
  { name: "a greeting", text: "Connected", message: "Connected" },
  { name: "a bare greeting", greeting: "+OK\r\n", text: "Connected", message: "Connected" },
  {
    name: "a refusal",
    greeting: "-ERR [SYS/TEMP] too busy\r\n",
    reason: "status",
    text: "Refused",
    message: 'Refused: "-ERR [SYS/TEMP] too busy"',
  },
  {
    name: "another protocol",
    greeting: "+OKAY\r\n",
    reason: "protocol",
    text: "Protocol error",
    message: 'Protocol error: not a greeting: "+OKAY"',
  },
  {
    name: "a login",
    parameters: credentials,
    text: "Login success",
    message: "Login success",
    says: ["USER alice", "PASS secret", "QUIT"],
  },
  {
    name: "a name that is refused",
    parameters: credentials,
    answers: { USER: "-ERR [AUTH] not in the clear\r\n" },
    reason: "auth",
    text: "Login failure",
    message: "Login failed",
    says: ["USER alice", "QUIT"],
  },
  {
    name: "a password that is refused",
    parameters: credentials,
    answers: { PASS: "-ERR\r\n" },
    reason: "auth",
    text: "Login failure",
    message: "Login failed",
    says: ["USER alice", "PASS secret", "QUIT"],
  },
  {
    name: "a name without a password",
    parameters: { username: "alice" },
    text: "Connected",
    message: "Connected",
    says: ["QUIT"],
  },
  {
    name: "credentials with blanks and quotes",
    parameters: { username: 'a "b" c', password: " p\\ ü " },
    text: "Login success",
    message: "Login success",
    says: ['USER a "b" c', "PASS  p\\ ü ", "QUIT"],
  },
];

for (const row of rows) {
  test(`${row.name} ends as ${row.text}: ${row.message}`, async () => {
    const received: string[] = [];
    const said = { greeting, ...row, answers: { ...answers, ...row.answers }, received };
    await using peer = await tcpPeer(lineServer(said));
    const { passed, reason, text, message } = await pop3Check
      .prepare({ ...target(peer), ...row.parameters })
      .run(contextOf());
    const { reason: wanted = "ok" } = row;
    assert.deepEqual(
      [passed, reason, text, message],
      [wanted === "ok", wanted, row.text, row.message],
    );
    await waitFor("the connection closed", () => peer.open() === 0);
    if (row.says !== undefined) assert.deepEqual(received, row.says);
  });
}

mailServerContract(pop3Check, {
  name: "dovecot",
  credentials,
  leaves: /pop3\(alice\).* Logged out/,
  async start() {
    const server = await dovecot(certificate, credentials.password);
    return { ...server, plain: server.pop3, secure: server.pop3s };
  },
});

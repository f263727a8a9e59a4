import assert from "node:assert/strict";
import test, { after, before, suite } from "node:test";

import { checkParametersContract } from "../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../test/contracts/check-type.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import { drainEventLoop } from "../../test/time/fake-clock.ts";
import { lineServer } from "../../test/peers/line-server.ts";
import {
  closedPort,
  closing,
  dripping,
  flooding,
  resetting,
  silent,
  tcpPeer,
  type SocketHandler,
  type Peer,
} from "../../test/peers/tcp.ts";
import { vsftpd, type Vsftpd } from "../../test/servers/vsftpd.ts";
import type { Egress } from "../kit/net/egress.ts";
import { Blocked } from "../kit/errors.ts";
import { ftpCheck } from "./ftp.ts";

checkParametersContract(ftpCheck, {
  least: { target: "ftp.example.com" },
  leastReads: { target: "ftp.example.com", port: 21, invert: false, ipv6: false },
  full: {
    target: "[2001:db8::1]",
    port: 2121,
    username: "alice",
    password: "s3cret; drop",
    contentstring: "backup.tar",
    invert: "true",
    ipv6: true,
  },
  fullReads: {
    target: "2001:db8::1",
    port: 2121,
    username: "alice",
    password: "s3cret; drop",
    contentstring: "backup.tar",
    invert: true,
    ipv6: true,
  },
});

const greeting = "220 files.test ready\r\n";
const answers = {
  USER: "331 and the password\r\n",
  PASS: "230-welcome to\r\n the archive\r\n230 in\r\n",
};
const target = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });

checkTypeContract(ftpCheck, {
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

const credentials = { username: "alice", password: "secret" };
const refused = { USER: "530 no alice here\r\n" };
const ANYBODY = ["USER anonymous", "PASS anonymous@example.com", "QUIT"];

interface Visit {
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

const visits: readonly Visit[] = [
  { name: "nobody in particular", text: "Logged in", says: ANYBODY },
  {
    name: "nobody in particular, refused",
    answers: { PASS: "530 no\r\n" },
    text: "Connected",
    says: ANYBODY,
  },
  { name: "nobody in particular, refused at once", answers: refused, text: "Connected" },
  {
    name: "nobody in particular, hung up on",
    answers: { PASS: "421 too busy\r\n" },
    reason: "auth",
    text: "Failed",
    message: "Login failed: 421",
  },
  {
    name: "a user",
    parameters: credentials,
    text: "Logged in",
    says: ["USER alice", "PASS secret", "QUIT"],
  },
  {
    name: "a user who needs no password",
    parameters: credentials,
    answers: { USER: "230 in\r\n" },
    text: "Logged in",
    says: ["USER alice", "QUIT"],
  },
  {
    name: "a user without a password",
    parameters: { username: "alice" },
    text: "Logged in",
    says: ["USER alice", "PASS ", "QUIT"],
  },
  {
    name: "a user whose password does not matter",
    parameters: credentials,
    answers: { PASS: "202 fine\r\n" },
    text: "Logged in",
  },
  ...["530 no", "332 account?", "421 too busy"].map((line) => ({
    name: `a user, ${line}`,
    parameters: credentials,
    answers: { PASS: `${line}\r\n` },
    reason: "auth",
    text: "Failed",
    message: `Login failed: ${line.slice(0, 3)}`,
    says: ["USER alice", "PASS secret", "QUIT"],
  })),
  {
    name: "a user who is not known",
    parameters: credentials,
    answers: refused,
    reason: "auth",
    text: "Failed",
    message: "Login failed: 530",
    says: ["USER alice", "QUIT"],
  },
  {
    name: "a greeting that takes a while",
    greeting: `120 in 3 minutes\r\n${greeting}`,
    text: "Logged in",
  },
  ...["421 too busy", "530 not you", "230 in"].map((line) => ({
    name: `${line} for a greeting`,
    greeting: `${line}\r\n`,
    reason: "status",
    text: "Failed",
    message: `Refused: "${line}"`,
    says: ["QUIT"],
  })),
  {
    name: "another protocol",
    greeting: "SSH-2.0-x\r\n",
    reason: "protocol",
    text: "Protocol error",
    message: 'Protocol error: not a reply: "SSH-2.0-x"',
  },
  {
    name: "a text of the greeting",
    parameters: { contentstring: "files.test" },
    text: "Found",
    message: "Found: files.test",
    says: ANYBODY,
  },
  {
    name: "a text of the welcome",
    parameters: { contentstring: "the archive" },
    text: "Found",
    message: "Found: the archive",
    says: ANYBODY,
  },
  {
    name: "a text of the greeting that must not be there",
    parameters: { contentstring: "files.test", invert: true },
    reason: "mismatch",
    text: "Found",
    message: "Found, though forbidden: files.test",
  },
  {
    name: "a text of the greeting, where nobody may enter",
    parameters: { contentstring: "files.test" },
    answers: refused,
    text: "Found",
    message: "Found: files.test",
  },
  ...[false, true].map((invert) => ({
    name: `a file where nobody may enter, inverted ${invert}`,
    parameters: { contentstring: "a.txt", invert },
    answers: refused,
    reason: "auth",
    text: "Failed",
    message: "Login failed: 530",
  })),
];

for (const row of visits) {
  test(`${row.name} ends as ${row.text}`, async () => {
    const received: string[] = [];
    const said = { greeting, ...row, answers: { ...answers, ...row.answers }, received };
    await using peer = await tcpPeer(lineServer(said));
    const { passed, reason, text, message, evidence } = await ftpCheck
      .prepare({ ...target(peer), ...row.parameters })
      .run(contextOf());
    const wanted = row.reason ?? "ok";
    assert.deepEqual(
      [passed, reason, text, message],
      [wanted === "ok", wanted, row.text, row.message ?? row.text],
    );
    await waitFor("the connection closed", () => peer.open() === 0);
    if (row.says !== undefined) assert.deepEqual(received, row.says);
    assert.equal(evidence?.startsWith(said.greeting), passed ? undefined : true);
  });
}

for (const said of [
  { USER: "530 <line>\r\n" },
  { USER: "<line>\r\n" },
  { PASS: "530 <line>\r\n" },
  { PASS: "<line>\r\n" },
  { PASV: "<line> secret\r\n" },
  { PASV: "227 secret\r\n" },
]) {
  test(`credentials that a server repeats are never shown: ${JSON.stringify(said)}`, async () => {
    await using peer = await tcpPeer(lineServer({ greeting, answers: { ...answers, ...said } }));
    const { passed, text, message, evidence } = await ftpCheck
      .prepare({ ...target(peer), ...credentials, contentstring: "a.txt" })
      .run(contextOf());
    assert.equal(passed, false);
    assert.doesNotMatch(`${text} ${message}`, /alice|secret/);
    assert.doesNotMatch(evidence ?? "secret", /secret/);
  });
}

suite("a listing", () => {
  const names: SocketHandler = (socket) => socket.end("a.txt\r\nbüro\r\n");
  const passive = ({ port }: Peer, host = "127,0,0,1"): string =>
    `227 Entering Passive Mode (${host},${port >> 8},${port & 255}).\r\n`;
  const nlst = { NLST: "150 here\r\n226 done\r\n" };

  interface Row {
    readonly name: string;
    readonly data?: SocketHandler;
    readonly parameters?: object;
    readonly answers?: (files: Peer) => Readonly<Record<string, string>>;
    readonly reason?: string;
    readonly text: string;
    readonly message: string;
    /** Connections to the data port; one unless given. */
    readonly dialled?: number;
  }
  const unlisted = {
    reason: "status",
    text: "Failed",
    message: "The files could not be listed",
  };
  const missing = { reason: "mismatch", text: "File not found", message: "File not found: a.txt" };
  const found = { text: "Found", message: "Found: a.txt" };
  const protocol = { reason: "protocol", text: "Protocol error" };
  const noPort = {
    ...protocol,
    message: "Protocol error: no data port that may be dialled",
    dialled: 0,
  };

  const rows: readonly Row[] = [
    { name: "with the name", ...found },
    {
      name: "with a name beyond ASCII",
      parameters: { contentstring: "büro" },
      text: "Found",
      message: "Found: büro",
    },
    {
      name: "with a longer name",
      parameters: { contentstring: "a.tx" },
      ...missing,
      message: "File not found: a.tx",
    },
    { name: "without anything", data: closing, ...missing },
    {
      name: "with the name, inverted",
      parameters: { invert: true },
      reason: "mismatch",
      text: "Found",
      message: "Found, though forbidden: a.txt",
    },
    {
      name: "without the name, inverted",
      data: closing,
      parameters: { invert: true },
      ...missing,
      reason: "ok",
    },
    ...["550 no files", "450 no files"].map((line) => ({
      name: `that is ${line}`,
      answers: () => ({ NLST: `${line}\r\n` }),
      ...missing,
    })),
    ...["425 no", "226 done", "530 no"].map((line) => ({
      name: `that is ${line}`,
      answers: () => ({ NLST: `${line}\r\n` }),
      parameters: { invert: true },
      ...unlisted,
    })),
    {
      name: "that breaks off",
      answers: () => ({ NLST: "150 here\r\n426 broken\r\n" }),
      parameters: { invert: true },
      ...unlisted,
    },
    {
      name: "that ends in no reply",
      answers: () => ({ NLST: "150 here\r\nsecret\r\n" }),
      ...protocol,
      message: "Protocol error: not a reply",
    },
    { name: "that has no port", answers: () => ({ PASV: "502 no\r\n" }), ...unlisted, dialled: 0 },
    {
      name: "at another host",
      answers: (files) => ({ PASV: passive(files, "10,9,9,9") }),
      ...found,
    },
    {
      name: "at a port without brackets",
      answers: (files) => ({ PASV: passive(files).replaceAll(/[()]/g, "") }),
      ...found,
    },
    ...["0,80", "3,255", "256,0", "1", "x,y"].map((port) => ({
      name: `at the port ${port}`,
      answers: () => ({ PASV: `227 (127,0,0,1,${port})\r\n` }),
      ...noPort,
    })),
    {
      name: "without an end",
      data: flooding("a.txt\r\n"),
      ...protocol,
      message: "Protocol error: more than 1048576 bytes",
    },
  ];
  for (const row of rows) {
    test(`${row.name} ends as ${row.text}: ${row.message}`, async () => {
      await using files = await tcpPeer(row.data ?? names);
      const said = { ...answers, ...nlst, PASV: passive(files), ...row.answers?.(files) };
      await using peer = await tcpPeer(lineServer({ greeting, answers: said }));
      const { reason, text, message } = await ftpCheck
        .prepare({ ...target(peer), contentstring: "a.txt", ...row.parameters })
        .run(contextOf());
      assert.deepEqual([reason, text, message], [row.reason ?? "ok", row.text, row.message]);
      assert.equal(files.accepted(), row.dialled ?? 1);
      await waitFor("all closed", () => peer.open() === 0 && files.open() === 0);
    });
  }

  for (const [name, data] of [
    ["silent", silent],
    ["dripping", dripping("a.txt\r\n")],
  ] as const) {
    test(`that is ${name} is ended by the signal`, async () => {
      await using files = await tcpPeer(data);
      const said = { ...answers, ...nlst, PASV: passive(files) };
      await using peer = await tcpPeer(lineServer({ greeting, answers: said }));
      const controller = new AbortController();
      const running = ftpCheck
        .prepare({ ...target(peer), contentstring: "a.txt" })
        .run(contextOf({ signal: controller.signal }));
      await waitFor("a data connection", () => files.accepted() === 1);
      await drainEventLoop(20);
      controller.abort("over");
      assert.equal((await running).message, "Timeout waiting for the answer");
      await waitFor("all closed", () => peer.open() === 0 && files.open() === 0);
    });
  }

  test("that is reset ends as that", async () => {
    await using files = await tcpPeer(resetting);
    const said = { ...answers, ...nlst, PASV: passive(files) };
    await using peer = await tcpPeer(lineServer({ greeting, answers: said }));
    const { reason, text } = await ftpCheck
      .prepare({ ...target(peer), contentstring: "a.txt" })
      .run(contextOf());
    assert.deepEqual([reason, text], ["protocol", "Connection reset"]);
  });

  test("at a closed port is refused", async () => {
    const port = await closedPort();
    const PASV = `227 (127,0,0,1,${port >> 8},${port & 255})\r\n`;
    await using peer = await tcpPeer(lineServer({ greeting, answers: { ...answers, PASV } }));
    const { reason } = await ftpCheck
      .prepare({ ...target(peer), contentstring: "a.txt" })
      .run(contextOf());
    assert.equal(reason, "refused");
  });

  test("is asked of egress as every connection is", async () => {
    await using files = await tcpPeer(names);
    const said = { ...answers, ...nlst, PASV: passive(files) };
    await using peer = await tcpPeer(lineServer({ greeting, answers: said }));
    const asked: string[] = [];
    const egress: Egress = {
      async resolve(host) {
        asked.push(host);
        if (asked.length > 1) throw new Blocked("not there");
        return { address: "127.0.0.1", family: 4 };
      },
      isPublic: () => false,
    };
    const { reason } = await ftpCheck
      .prepare({ ...target(peer), target: "files.test", contentstring: "a.txt" })
      .run(contextOf({ egress }));
    assert.deepEqual(
      [reason, asked, files.accepted()],
      ["blocked", ["files.test", "127.0.0.1"], 0],
    );
  });

  for (const [reply, reason] of [
    ["229 Extended (|||<p>|)", "ok"],
    ["229 Extended (!!!<p>!)", "ok"],
    ["229 Extended (|1|::2|<p>|)", "protocol"],
    ["229 Extended (|||80|)", "protocol"],
    ["229 Extended <p>", "protocol"],
    ["522 no", "status"],
  ] as const) {
    test(`over IPv6 follows ${reply} as ${reason}`, async () => {
      await using files = await tcpPeer(names, "::1");
      const received: string[] = [];
      const said = { ...answers, ...nlst, EPSV: `${reply.replace("<p>", String(files.port))}\r\n` };
      await using peer = await tcpPeer(lineServer({ greeting, answers: said, received }), "::1");
      const outcome = await ftpCheck
        .prepare({ ...target(peer), ipv6: true, contentstring: "a.txt" })
        .run(contextOf());
      assert.equal(outcome.reason, reason, outcome.message);
      assert.equal(received[2], "EPSV");
    });
  }
});

test("an FTP server is called at its usual port", async () => {
  await using peer = await tcpPeer(lineServer({ greeting, answers }), "127.77.0.1", 21);
  const { text } = await ftpCheck.prepare({ target: peer.host }).run(contextOf());
  assert.equal(text, "Logged in");
});

test("no IPv4 address is taken where only IPv6 will do", async () => {
  await using peer = await tcpPeer(lineServer({ greeting, answers }));
  const { reason } = await ftpCheck.prepare({ ...target(peer), ipv6: true }).run(contextOf());
  assert.deepEqual([reason, peer.accepted()], ["dns", 0]);
});

for (const host of ["127.0.0.1", "::1"]) {
  suite(`vsftpd at ${host}`, () => {
    let server: Vsftpd;
    before(async () => {
      server = await vsftpd({ host, files: { "a.txt": "", büro: "" } });
    });
    after(() => server[Symbol.asyncDispose]());

    const looks = [
      { parameters: {}, passed: true, text: "Logged in" },
      { parameters: { username: "ftp", password: "x" }, passed: true, text: "Logged in" },
      { parameters: credentials, passed: false, text: "Failed" },
      { parameters: { contentstring: "a.txt" }, passed: true, text: "Found" },
      { parameters: { contentstring: "büro" }, passed: true, text: "Found" },
      { parameters: { contentstring: "b.txt" }, passed: false, text: "File not found" },
      {
        parameters: { contentstring: "b.txt", invert: true },
        passed: true,
        text: "File not found",
      },
      { parameters: { contentstring: "a.txt", invert: true }, passed: false, text: "Found" },
      { parameters: { contentstring: "Watched files" }, passed: true, text: "Found" },
    ];
    for (const { parameters, ...wanted } of looks) {
      test(`is visited with ${JSON.stringify(parameters)}`, async () => {
        const { passed, text } = await ftpCheck
          .prepare({ target: host, port: server.port, ipv6: host === "::1", ...parameters })
          .run(contextOf());
        assert.deepEqual({ passed, text }, wanted);
      });
    }
  });
}

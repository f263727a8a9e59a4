import assert from "node:assert/strict";
import test, { suite } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import {
  column,
  countOf,
  error,
  framed,
  greeting,
  more,
  mysqlServer,
  ok,
  result,
  rowOf,
  saying,
  sha2Server,
  switchTo,
  type Script,
} from "../../../test/peers/mysql.ts";
import { tcpPeer, type SocketHandler, type Peer } from "../../../test/peers/tcp.ts";
import { trustedCertificate } from "../../../test/peers/trusted-certificate.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import { mysqlCheck } from "./mysql.ts";

checkParametersContract(mysqlCheck, {
  least: { target: "db.example.com" },
  leastReads: { target: "db.example.com", port: 3306, secure: false, ipv6: false },
  full: {
    target: "db.example.com",
    port: 3307,
    secure: true,
    username: "alice",
    password: 12_345,
    database: "shop",
    query: "select 1\nfrom dual",
    fields: { rows: { name: "rows", min: 1 } },
    ipv6: false,
  },
  fullReads: {
    target: "db.example.com",
    port: 3307,
    secure: "ssl",
    username: "alice",
    password: "12345",
    database: "shop",
    query: "select 1\nfrom dual",
    fields: [{ path: "rows", min: 1 }],
    ipv6: false,
  },
});

const certificate = trustedCertificate();
const denied = error(1045, "Access denied for user");
const turnsAway = (): Script => saying([greeting()], [denied]);
const target = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });

for (const [name, secure] of [
  ["MYSQL", false],
  ["MYSQL in TLS", "ssl"],
] as const) {
  checkTypeContract(mysqlCheck, {
    name,
    healthy: () => tcpPeer(mysqlServer({ script: turnsAway, certificate })),
    parameters: (peer) => ({ ...target(peer), secure }),
    endings: {
      silence: "timeout",
      drip: "protocol",
      garbage: "protocol",
      reset: "protocol",
      close: "protocol",
      flood: "protocol",
    },
  });
}

const credentials = { username: "alice", password: "s3cret" };
const query = { ...credentials, query: "select 1" };
const QUIT = "\u0001";
const VERSION = "8.4.3";

interface Row {
  readonly name: string;
  readonly script: () => Script;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
  readonly text: string;
  /** The text unless given. */
  readonly message?: string;
  /** Evidence after the version; none by default. */
  readonly evidence?: string;
  /** Commands received after the login; none by default. */
  readonly says?: readonly string[];
}

const letsIn = (...answers: readonly (readonly Buffer[])[]): Script =>
  saying([greeting()], [ok], ...answers);
const refusedLogin = { reason: "auth", text: "Login failed" };

const rows: readonly Row[] = [
  { name: "nobody in particular, turned away", script: turnsAway, text: "Responded" },
  { name: "nobody in particular, let in", script: () => letsIn(), text: "Success", says: [QUIT] },
  {
    name: "nobody in particular, asked to prove it in an unknown way",
    script: () => saying([greeting()], [switchTo("dialog")], [more(4)]),
    text: "Responded",
    says: ["\0".repeat(64)],
  },
  {
    name: "nobody in particular who wants an unknown database",
    script: () => saying([greeting()], [error(1049, "Unknown database 'shop'")]),
    parameters: { database: "shop" },
    reason: "status",
    text: "Error 1049",
    message: "Refused: unknown database",
    evidence: "Error 1049: Unknown database 'shop'",
  },
  ...[{ query: "select 1" }, { fields: { a: { name: "a" } } }].map((parameters) => ({
    name: `nobody in particular with ${Object.keys(parameters).join("")}`,
    script: turnsAway,
    parameters,
    ...refusedLogin,
    message: "Login failed: access denied",
    evidence: "Error 1045: Access denied for user",
  })),
  {
    name: "a user",
    script: () => letsIn(),
    parameters: credentials,
    text: "Success",
    says: [QUIT],
  },
  {
    name: "a user without a password",
    script: () => letsIn(),
    parameters: { username: "alice" },
    text: "Success",
    says: [QUIT],
  },
  ...[
    [1044, "no access to the database"],
    [1045, "access denied"],
    [1251, "the server wants another way to log in"],
    [1698, "access denied"],
    [1862, "the password has expired"],
    [3118, "the account is locked"],
    [3159, "the server wants TLS"],
    [4151, "the account is locked"],
  ].map(([code, words]) => ({
    name: `a user, ${code}`,
    script: () => saying([greeting()], [error(Number(code), "no")]),
    parameters: credentials,
    ...refusedLogin,
    message: `Login failed: ${words}`,
    evidence: `Error ${code}: no`,
  })),
  ...[
    [1040, "too many connections"],
    [1049, "unknown database"],
    [1053, "error 1053"],
    [1203, "the user has too many connections"],
    [1226, "the user has used up a limit"],
  ].flatMap(([code, words]) =>
    [credentials, {}].map((parameters) => ({
      name: `${"username" in parameters ? "a user" : "nobody in particular"}, ${code}`,
      script: () => saying([greeting()], [error(Number(code), "no")]),
      parameters,
      reason: "status",
      text: `Error ${code}`,
      message: `Refused: ${words}`,
      evidence: `Error ${code}: no`,
    })),
  ),
  {
    name: "a user who must prove it in an unknown way",
    script: () => saying([greeting()], [switchTo("client_ed25519")], [denied]),
    parameters: credentials,
    ...refusedLogin,
    message: "Login failed: the server wants a way to log in that is not known here",
    evidence: "It wants client_ed25519",
    says: ["\0".repeat(64)],
  },
  {
    name: "a user whose login is answered badly",
    script: () => saying([greeting()], [greeting()]),
    parameters: credentials,
    reason: "protocol",
    text: "Protocol error",
    message: "Protocol error: not an answer to the login",
  },
  {
    name: "a query",
    script: () => letsIn(result(["a"], rowOf("1"))),
    parameters: query,
    text: "Success",
    says: ["\u0003select 1", QUIT],
  },
  {
    name: "a query without a result",
    script: () => letsIn([ok]),
    parameters: query,
    text: "Success",
    says: ["\u0003select 1", QUIT],
  },
  {
    name: "a query that fails",
    script: () => letsIn([error(1146, "Table 'shop.x' doesn't exist", "#42S02")]),
    parameters: query,
    reason: "status",
    text: "Query failed",
    message: "Query failed: error 1146",
    evidence: "Error 1146: Table 'shop.x' doesn't exist",
    says: ["\u0003select 1", QUIT],
  },
  {
    name: "fields in their ranges",
    script: () => letsIn(result(["load", "b"], rowOf("0.5", "x"))),
    parameters: { ...query, fields: { a: { name: "load", min: 0, max: "1" } } },
    text: "Success",
    message: "All fields within parameters",
    says: ["\u0003select 1", QUIT],
  },
  {
    name: "fields out of theirs",
    script: () =>
      letsIn(result(["load", "b", "c"], rowOf("2", "x", undefined), rowOf("1", "1", "1"))),
    parameters: {
      ...query,
      fields: {
        a: { name: "load", max: 1 },
        b: { name: "b" },
        c: { name: "c" },
        d: { name: "d" },
      },
    },
    reason: "metric",
    text: "Failure",
    message: "load:2 (max 1). b:absent. c:absent. d:absent",
    says: ["\u0003select 1", QUIT],
  },
  ...[
    { name: "fields of no row", script: () => letsIn(result(["a"])), ...query },
    { name: "fields of no result", script: () => letsIn([ok]), ...query },
    { name: "fields without a query", script: () => letsIn(), ...credentials },
  ].map(({ name, script, ...parameters }) => ({
    name,
    script,
    parameters: { ...parameters, fields: { a: { name: "a" } } },
    reason: "metric",
    text: "Failure",
    message: "a:absent",
    says: "query" in parameters ? ["\u0003select 1", QUIT] : [QUIT],
  })),
];

interface Visited extends Outcome {
  readonly received: readonly Buffer[];
}

async function visit(script: () => Script, parameters: object = {}): Promise<Visited> {
  const received: Buffer[] = [];
  await using peer = await tcpPeer(mysqlServer({ script, received }));
  const outcome = await mysqlCheck.prepare({ ...target(peer), ...parameters }).run(contextOf());
  await waitFor("the connection closed", () => peer.open() === 0);
  return { ...outcome, received };
}

for (const row of rows) {
  test(`${row.name} ends as ${row.text}: ${row.message ?? row.text}`, async () => {
    const { received, ...outcome } = await visit(row.script, row.parameters);
    const wanted = row.reason ?? "ok";
    assert.deepEqual(
      [outcome.passed, outcome.reason, outcome.text, outcome.message],
      [wanted === "ok", wanted, row.text, row.message ?? row.text],
    );
    const evidence = row.evidence === undefined ? VERSION : `${VERSION}\n${row.evidence}`;
    assert.equal(outcome.evidence, wanted === "ok" ? undefined : evidence);
    const [login, ...rest] = received;
    const [username, ...names] = String(login?.subarray(32)).split("\0");
    assert.equal(username, row.parameters?.username ?? "watchpost");
    assert.equal(names.includes("shop"), row.parameters?.database === "shop");
    assert.deepEqual(rest.map(String), row.says ?? []);
  });
}

for (const [code, text] of [
  [1040, "Too many connections"],
  [1129, "Host '192.0.2.1' is blocked because of many connection errors"],
  [1130, "Host '192.0.2.1' is not allowed to connect to this MariaDB server"],
  [1045, "Not even asked who it is"],
] as const) {
  test(`a server that greets with error ${code} is down`, async () => {
    const { reason, ...outcome } = await visit(() => saying([error(code, text, "")]));
    assert.deepEqual(
      [reason, outcome.text, outcome.message, outcome.evidence],
      ["status", `Error ${code}`, `Refused: "${code} ${text}"`, `Error ${code}: ${text}`],
    );
    assert.deepEqual(outcome.received, []);
  });
}

for (const line of [
  "SSH-2.0-OpenSSH_9.2p1\r\n",
  "220 mail.test ESMTP\r\n",
  "HTTP/1.1 400 Bad\r\n",
]) {
  test(`a server that says ${JSON.stringify(line)} is another one, and shown as that`, async () => {
    await using peer = await tcpPeer((socket) => socket.write(line));
    const { reason, evidence } = await mysqlCheck.prepare(target(peer)).run(contextOf());
    assert.deepEqual([reason, evidence], ["protocol", line]);
  });
}

const secret = /s3cret/;
for (const [name, script] of [
  ["the way to log in", () => saying([greeting()], [switchTo("s3cret")], [denied])],
  ["the end of a login", () => saying([greeting()], [error(1045, "s3cret")])],
  ["the end of a login, as a refusal", () => saying([greeting()], [error(1226, "s3cret")])],
  ["the end of a query", () => letsIn([error(1064, "near s3cret")])],
  ["a bad answer to a login", () => saying([greeting()], [Buffer.from("s3cret")])],
  ["a bad answer to a query", () => letsIn([Buffer.from([1]), Buffer.from("s3cret")])],
  ["a row", () => letsIn([...result(["a"], rowOf("s3cret")).slice(0, -1), error(1317, "killed")])],
  ["a bad row", () => letsIn(result(["a", "b"], rowOf("s3cret")))],
] as const) {
  test(`a password that is repeated in ${name} is never shown`, async () => {
    const { received, ...outcome } = await visit(script, query);
    assert.equal(outcome.passed, false);
    assert.doesNotMatch(JSON.stringify(outcome), secret);
    for (const payload of received) assert.doesNotMatch(String(payload), secret);
  });
}

test("who wants TLS of a server without it says no name, but does not leave before the answer", async () => {
  const script = (): Script => saying([greeting({ offersTls: false })], [denied]);
  const { reason, message, received } = await visit(script, { ...credentials, secure: "ssl" });
  assert.deepEqual([reason, message], ["tls", "TLS error: the server offers none"]);
  assert.equal(received.length, 1);
  assert.match(String(received[0]), /^[^]{32}watchpost\0\0/);
});

test("in TLS the certificate is recorded, and the password is sent where the server wants it", async () => {
  const received: Buffer[] = [];
  const script = (): Script => sha2Server(credentials.password, false);
  await using peer = await tcpPeer(mysqlServer({ script, certificate, received }));
  const { passed, timings, ...outcome } = await mysqlCheck
    .prepare({ ...target(peer), ...credentials, secure: "ssl" })
    .run(contextOf());
  assert.ok(passed, outcome.message);
  assert.equal(outcome.certificate?.subject, "localhost");
  assert.deepEqual(Object.keys(timings ?? {}), ["dns", "connect", "tls", "firstByte", "total"]);
  const [request, login, password] = received;
  assert.deepEqual(request, login?.subarray(0, 32));
  assert.equal(String(password), "s3cret\0");
});

test("a request for a file is left without an answer", async () => {
  const script = (): Script => letsIn([Buffer.from("\xfb/etc/passwd", "latin1")]);
  const { message, received } = await visit(script, query);
  assert.equal(message, "Protocol error: a request for a file of ours");
  assert.equal(received.length, 2);
});

suite("what has no end", () => {
  const begins = (...packets: readonly Buffer[]): Script => letsIn(packets);
  const row = rowOf("1");
  const drip: SocketHandler = (socket) => socket.write(Buffer.from([200, 0, 0, 0, 10]));
  const scripted = (script: () => Script): SocketHandler => mysqlServer({ script, certificate });
  const stalls: readonly {
    name: string;
    manner: SocketHandler;
    parameters?: object;
    phase?: string;
  }[] = [
    { name: "a greeting", manner: drip },
    { name: "a login", manner: scripted(() => saying([greeting()])) },
    {
      name: "the other way",
      manner: scripted(() => saying([greeting()], [switchTo("caching_sha2_password")])),
    },
    {
      name: "the key",
      manner: scripted(() => saying([greeting({ method: "caching_sha2_password" })], [more(4)])),
    },
    { name: "a query", manner: scripted(() => begins()) },
    { name: "columns", manner: scripted(() => begins(Buffer.from([9]))) },
    { name: "rows", manner: scripted(() => begins(...result(["a"], row).slice(0, -1))) },
    {
      name: "the handshake",
      manner: (socket) => socket.write(framed(greeting(), 0)),
      parameters: { secure: "ssl" },
      phase: "in the TLS handshake",
    },
  ];
  for (const { name, manner, parameters, phase = "waiting for the answer" } of stalls) {
    test(`${name} is ended by the signal`, async () => {
      await using peer = await tcpPeer(manner);
      const controller = new AbortController();
      const running = mysqlCheck
        .prepare({ ...target(peer), ...query, ...parameters })
        .run(contextOf({ signal: controller.signal }));
      await waitFor("a connection", () => peer.accepted() === 1);
      await drainEventLoop(20);
      controller.abort("over");
      assert.equal((await running).message, `Timeout ${phase}`);
      await waitFor("the connection closed", () => peer.open() === 0);
    });
  }

  for (const { name, packets, message } of [
    { name: "rows", packets: result(["a"], ...Array<Buffer>(5000).fill(row)), message: "Success" },
    {
      name: "a row",
      packets: result(["a"], Buffer.alloc(2 ** 20)),
      message: "Protocol error: more than 1048576 bytes",
    },
    {
      name: "columns",
      packets: [countOf(60_000), ...Array<Buffer>(5000).fill(column("a"))],
      message: "Protocol error: a result of 60000 columns",
    },
  ]) {
    test(`${name} in a flood ends as ${message}`, async () => {
      assert.equal((await visit(() => letsIn(packets), query)).message, message);
    });
  }
});

test("a MySQL server is called at its usual port", async () => {
  await using peer = await tcpPeer(mysqlServer({ script: turnsAway }), "127.77.0.1", 3306);
  const { text } = await mysqlCheck.prepare({ target: peer.host }).run(contextOf());
  assert.equal(text, "Responded");
});

test("no IPv4 address is taken where only IPv6 will do", async () => {
  await using peer = await tcpPeer(mysqlServer({ script: turnsAway }));
  const { reason } = await mysqlCheck.prepare({ ...target(peer), ipv6: true }).run(contextOf());
  assert.deepEqual([reason, peer.accepted()], ["dns", 0]);
});

import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import test from "node:test";

import * as fc from "fast-check";
import type { WebSocket } from "ws";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { fakeClock, drainEventLoop } from "../../../test/time/fake-clock.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import {
  closing,
  dripping,
  flooding,
  resetting,
  silent,
  tcpPeer,
  type SocketHandler,
  type Peer,
} from "../../../test/peers/tcp.ts";
import { trustedCertificate } from "../../../test/peers/trusted-certificate.ts";
import { upgraded, webSocketPeer } from "../../../test/peers/web-socket.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import type { RunContext } from "../check-type.ts";
import { webSocketCheck } from "./websocket.ts";

checkParametersContract(webSocketCheck, {
  least: { target: "wss://example.com/chat" },
  leastReads: { target: "wss://example.com/chat", invert: false, ipv6: false },
  full: {
    target: "ws://example.com/",
    data: '{"op": "ping"}',
    contentstring: "pong",
    invert: false,
    ipv6: false,
  },
  fullReads: {
    target: "ws://example.com/",
    data: '{"op": "ping"}',
    contentstring: "pong",
    invert: false,
    ipv6: false,
  },
});

const certificate = trustedCertificate();
const echo = (webSocket: WebSocket): void => {
  webSocket.on("message", (said, binary) => webSocket.send(said, { binary }));
};
const conversation = { data: "ping", contentstring: "pi" };

checkTypeContract(webSocketCheck, {
  healthy: () => webSocketPeer(echo),
  parameters: ({ host, port }) => ({ target: `ws://${host}:${port}/`, ...conversation }),
  endings: {
    silence: "timeout",
    drip: "timeout",
    garbage: "protocol",
    reset: "protocol",
    close: "protocol",
    flood: "protocol",
  },
});

checkTypeContract(webSocketCheck, {
  name: "WEBSOCKET over TLS",
  healthy: () => webSocketPeer(echo, certificate),
  parameters: ({ host, port }) => ({ target: `wss://${host}:${port}/`, ...conversation }),
  endings: {
    silence: "timeout",
    drip: "tls",
    garbage: "tls",
    reset: "protocol",
    close: "protocol",
    flood: "tls",
  },
});

type Parameters = Readonly<Record<string, unknown>>;

function run(
  { host, port }: Pick<Peer, "host" | "port">,
  parameters: Parameters = {},
  context: Partial<RunContext> = {},
): Promise<Outcome> {
  return webSocketCheck
    .prepare({ target: `ws://${host}:${port}/`, ...parameters })
    .run(contextOf(context));
}

function brief({ reason, text, message }: Outcome): string {
  return text === message ? `${reason} ${text}` : `${reason} ${text}: ${message}`;
}

const MIB = 2 ** 20;
const says =
  (...messages: readonly (string | Buffer)[]) =>
  (webSocket: WebSocket): void => {
    for (const message of messages) webSocket.send(message);
  };

interface Talk {
  readonly name: string;
  readonly attend: (webSocket: WebSocket) => void;
  readonly parameters: Parameters;
  readonly ends: string;
}

const talks: readonly Talk[] = [
  {
    name: "a server from which nothing is wanted",
    attend: () => {},
    parameters: {},
    ends: "ok Connected: Success",
  },
  {
    name: "one that is only to take a message",
    attend: () => {},
    parameters: { data: "ping" },
    ends: "ok Sent message",
  },
  {
    name: "one that answers though nothing is looked for",
    attend: echo,
    parameters: { data: "x".repeat(50_000), invert: true },
    ends: "ok Sent message",
  },
  {
    name: "one that has said something before",
    attend: says("hello"),
    parameters: { data: "x".repeat(50_000) },
    ends: "ok Sent message",
  },
  {
    name: "an answer with the text",
    attend: echo,
    parameters: { data: "ping", contentstring: "ing" },
    ends: "ok Found",
  },
  {
    name: "an answer to pairs",
    attend: echo,
    parameters: { data: { op: "ping" }, contentstring: '{"op":"ping"}' },
    ends: "ok Found",
  },
  {
    name: "an answer without the text",
    attend: echo,
    parameters: { data: "ping", contentstring: "pong" },
    ends: 'mismatch Not found: Text not found: "pong"',
  },
  {
    name: "an answer without the text that must not be there",
    attend: echo,
    parameters: { data: "ping", contentstring: "pong", invert: true },
    ends: "ok Not found",
  },
  {
    name: "an answer with the text that must not be there",
    attend: echo,
    parameters: { data: "ping", contentstring: "ping", invert: true },
    ends: 'mismatch Found: Forbidden text found: "ping"',
  },
  {
    name: "a message that nobody asked for",
    attend: says("hello, grüße"),
    parameters: { contentstring: "grüße" },
    ends: "ok Found",
  },
  {
    name: "such a message with the text that must not be there",
    attend: says("hello"),
    parameters: { contentstring: "hello", invert: true },
    ends: 'mismatch Found: Forbidden text found: "hello"',
  },
  {
    name: "the text in the second message",
    attend: says("hello", "there"),
    parameters: { contentstring: "there" },
    ends: 'mismatch Not found: Text not found: "there"',
  },
  {
    name: "the text among bytes",
    attend: says(Buffer.from([0xff, 0, ...Buffer.from("hello"), 0xff])),
    parameters: { contentstring: "hello" },
    ends: "ok Found",
  },
  {
    name: "a message in pieces",
    attend: (webSocket) => {
      webSocket.send("hel", { fin: false });
      webSocket.ping();
      webSocket.send("lo");
    },
    parameters: { contentstring: "hello" },
    ends: "ok Found",
  },
  {
    name: "a message as long as it may be",
    attend: says(`${"x".repeat(MIB - 1)}y`),
    parameters: { contentstring: "y" },
    ends: "ok Found",
  },
  {
    name: "a message that is longer",
    attend: says("x".repeat(MIB + 1)),
    parameters: { contentstring: "x" },
    ends: "protocol Protocol error: Protocol error: Max payload size exceeded",
  },
  {
    name: "a message that is much longer",
    attend: says(Buffer.alloc(5 * MIB)),
    parameters: { contentstring: "x", invert: true },
    ends: "protocol Protocol error: Protocol error: Max payload size exceeded",
  },
  {
    name: "a server that has no time",
    attend: (webSocket) => webSocket.close(1013, "later, secret"),
    parameters: { contentstring: "x", invert: true },
    ends: "status Closed 1013: Closed with code 1013 before it answered",
  },
  {
    name: "a server that closes without a word",
    attend: (webSocket) => webSocket.close(),
    parameters: { contentstring: "x" },
    ends: "status Closed 1005: Closed with code 1005 before it answered",
  },
  {
    name: "a server that hangs up",
    attend: (webSocket) => webSocket.terminate(),
    parameters: { contentstring: "x", invert: true },
    ends: "protocol Connection closed: Connection closed while waiting for the answer",
  },
];

for (const { name, attend, parameters, ends } of talks) {
  // guard: pings of WebSockets
  // guard: size of WebSocket messages
  // guard: fragments of WebSocket messages
  test(`${name} ends as ${ends}`, async () => {
    await using peer = await webSocketPeer(attend);
    const outcome = await run(peer, parameters);
    assert.equal(brief(outcome), ends);
    assert.equal(outcome.passed, outcome.reason === "ok");
    await waitFor("the connection closed", () => peer.open() === 0);
  });
}

const answering =
  (answer: string): SocketHandler =>
  (socket) =>
    socket.once("data", () => socket.write(answer));

const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";

const answers: readonly { readonly manner: SocketHandler; readonly ends: string }[] = [
  {
    manner: answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ends: "status 200: HTTP status returned: 200 without an upgrade",
  },
  {
    manner: answering("HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n"),
    ends: "status 302: HTTP status returned: 302 without an upgrade",
  },
  {
    manner: answering("HTTP/1.1 503 Busy\r\n\r\n"),
    ends: "status 503: HTTP status returned: 503 without an upgrade",
  },
  {
    manner: answering("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 401 Who?\r\n\r\n"),
    ends: "status 401: HTTP status returned: 401 without an upgrade",
  },
  {
    manner: answering("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
    ends: "status 101: HTTP status returned: 101 without an upgrade",
  },
  {
    manner: answering("HTTP/1.1 101 Fine\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"),
    ends: "protocol Protocol error: Protocol error: Invalid Upgrade header",
  },
  {
    manner: answering(`${UPGRADE}\r\n`),
    ends: "protocol Protocol error: Protocol error: Invalid Sec-WebSocket-Accept header",
  },
  {
    manner: answering(`${UPGRADE}Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n`),
    ends: "protocol Protocol error: Protocol error: Invalid Sec-WebSocket-Accept header",
  },
  {
    manner: flooding("HTTP/1.1 103 Hints\r\n\r\n"),
    ends: "protocol Protocol error: Protocol error: too many interim answers",
  },
  {
    manner: upgraded((socket) => socket.write("\x81\x81key!\x13")),
    ends: "protocol Protocol error: Protocol error: Invalid WebSocket frame: MASK must be clear",
  },
  {
    manner: upgraded((socket) => socket.write("\x81\x02\xff\xfe")),
    ends: "protocol Protocol error: Protocol error: Invalid WebSocket frame: invalid UTF-8 sequence",
  },
  {
    manner: upgraded((socket) => socket.write("\xc1\x01x")),
    ends: "protocol Protocol error: Protocol error: Invalid WebSocket frame: RSV1 must be clear",
  },
  {
    manner: upgraded((socket) => socket.write(`\x82\x7f${"\xff".repeat(8)}`)),
    ends: "protocol Protocol error: Protocol error: Unsupported WebSocket frame: payload length > 2^53 - 1",
  },
  {
    manner: upgraded((socket) => {
      socket.write("\x01\x00");
      flooding("\x00\x00".repeat(1000))(socket);
    }),
    ends: "protocol Protocol error: Protocol error: Too many message fragments",
  },
  {
    manner: upgraded(flooding("\x89\x00".repeat(1000))),
    ends: "protocol Protocol error: Protocol error: more than 100 pings",
  },
  {
    manner: upgraded(closing),
    ends: "protocol Connection closed: Connection closed while waiting for the answer",
  },
  {
    manner: upgraded(resetting),
    ends: "protocol Connection closed: Connection closed while waiting for the answer",
  },
];

for (const [index, { manner, ends }] of answers.entries()) {
  test(`odd answer ${index} ends as ${ends}`, async () => {
    await using peer = await tcpPeer(manner);
    const outcome = await run(peer, { contentstring: "x" });
    assert.equal(brief(outcome), ends);
    await waitFor("the connection closed", () => peer.open() === 0);
  });
}

const endless: readonly { readonly name: string; readonly manner: SocketHandler }[] = [
  { name: "says nothing", manner: silent },
  { name: "never gets to the end of a message", manner: dripping("\x01\x7e\x7f\x7f") },
  {
    name: "says that it closes and does not",
    manner: (socket) => socket.write("\x88\x02\x03\xf5"),
  },
];

for (const { name, manner } of endless) {
  test(`a server that ${name} is left when the time is over`, async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    await using peer = await tcpPeer(upgraded(manner));
    const running = run(peer, conversation, { ...clock, signal: controller.signal });
    await waitFor("a connection", () => peer.accepted() === 1);
    await drainEventLoop();
    controller.abort("over");
    assert.equal(brief(await running), "timeout Timeout: Timeout waiting for the answer");
    await waitFor("the connection closed", () => peer.open() === 0);
    assert.equal(clock.pending(), 0);
  });
}

test("where nothing is sent and a text must not come, half of the time without a message will do", async () => {
  const clock = fakeClock();
  await using peer = await webSocketPeer(() => {});
  const parameters = { contentstring: "error", invert: true };
  let ended: string | undefined;
  void run(peer, parameters, { ...clock, timeoutMs: 5000 }).then(
    (outcome) => (ended = brief(outcome)),
  );
  await waitFor("the wait", () => clock.pending() === 1);
  await clock.advance(2499);
  assert.equal(ended, undefined);
  await clock.advance(1);
  assert.equal(ended, "ok Not found");
});

test("who was sent a message owes an answer, whatever must not be in it", async () => {
  const clock = fakeClock();
  const controller = new AbortController();
  const received: string[] = [];
  await using peer = await webSocketPeer((webSocket) => {
    webSocket.on("message", (said: Buffer) => received.push(said.toString()));
  });
  const parameters = { data: "ping", contentstring: "error", invert: true };
  const running = run(peer, parameters, { ...clock, signal: controller.signal });
  await waitFor("the message", () => received.length === 1);
  assert.equal(clock.pending(), 0);
  controller.abort("over");
  assert.equal((await running).reason, "timeout");
});

test("a run that waits for silence leaves no timer behind where a message comes", async () => {
  const clock = fakeClock();
  await using peer = await webSocketPeer(says("hello"));
  const outcome = await run(peer, { contentstring: "error", invert: true }, clock);
  assert.equal(brief(outcome), "ok Not found");
  await waitFor("no timer", () => clock.pending() === 0);
});

test("the handshake is that of RFC 6455, with the credentials of the address", async () => {
  const requests: IncomingMessage[] = [];
  await using peer = await webSocketPeer((_, request) => void requests.push(request));
  const target = `ws://al%3Aice:s%20e%@${peer.host}:${peer.port}/a%20b?c=d#e`;
  assert.equal((await run(peer, { target })).passed, true);
  const [{ url, headers } = {}] = requests;
  assert.equal(url, "/a%20b?c=d");
  assert.equal(headers?.host, `${peer.host}:${peer.port}`);
  assert.equal(headers?.authorization, `Basic ${Buffer.from("al:ice:s e%").toString("base64")}`);
  assert.equal(headers?.["user-agent"], "Watchpost");
  assert.equal(headers?.["sec-websocket-extensions"], undefined);
});

for (const parameters of [{}, { data: "bye" }, conversation]) {
  test(`after ${JSON.stringify(parameters)} the server gets a close frame`, async () => {
    let farewell: number | undefined;
    await using peer = await webSocketPeer((webSocket) => {
      echo(webSocket);
      webSocket.on("close", (code) => (farewell = code));
    });
    assert.equal((await run(peer, parameters)).passed, true);
    await waitFor("a farewell", () => farewell !== undefined);
    assert.equal(farewell, 1000);
  });
}

test("a certificate that nobody trusts is recorded and not judged", async () => {
  await using peer = await webSocketPeer(() => {}, selfSigned());
  const target = `https://${peer.host}:${peer.port}/`;
  const { passed, certificate, timings } = await run(peer, { target });
  assert.deepEqual([passed, certificate?.subject], [true, "localhost"]);
  const { dns = -1, connect = -1, tls = -1, firstByte = -1, total = -1 } = timings ?? {};
  const inOrder = [0, dns, connect, tls, firstByte, total];
  assert.deepEqual(
    inOrder,
    inOrder.toSorted((one, other) => one - other),
  );
});

test("only an IPv6 address will do where that is wanted", async () => {
  await using peer = await webSocketPeer(() => {});
  const outcome = await run(peer, { ipv6: true });
  assert.equal(outcome.reason, "dns");
});

const evidence: readonly { readonly manner: SocketHandler; readonly shows: RegExp }[] = [
  { manner: answering("HTTP/1.1 503 Busy\r\nA: b\r\n\r\n"), shows: /^HTTP 503 .*\na: b$/ },
  { manner: answering("SSH-2.0-x\r\n"), shows: /^SSH-2.0-x/ },
  { manner: upgraded(closing), shows: /^HTTP 101 Switching Protocols\nupgrade: websocket\n/ },
  { manner: upgraded((socket) => socket.write("\x81\x05hello")), shows: /^hello$/ },
  { manner: upgraded((socket) => socket.write("\x82\x02\0\0")), shows: /^\(2 bytes / },
  { manner: upgraded((socket) => socket.end("\x88\x05\x03\xf5why")), shows: /^why$/ },
];

for (const { manner, shows } of evidence) {
  test(`the evidence of a failure is ${shows}`, async () => {
    await using peer = await tcpPeer(manner);
    const outcome = await run(peer, { contentstring: "something else" });
    assert.equal(outcome.passed, false);
    assert.match(outcome.evidence ?? "", shows);
  });
}

test("whatever bytes come, they are the server's fault", async () => {
  let bytes = new Uint8Array();
  const speak: SocketHandler = (socket) => socket.end(bytes);
  await using plain = await tcpPeer(speak);
  await using open = await tcpPeer(upgraded(speak));
  const begin = fc.constantFrom("", "HTTP/1.1 101 ", "HTTP/1.1 200 OK\r\n", "\x81\x05", "\x88\x02");
  await fc.assert(
    fc.asyncProperty(begin, fc.uint8Array(), fc.boolean(), async (text, rest, isOpen) => {
      bytes = Buffer.concat([Buffer.from(text, "latin1"), rest]);
      const { reason } = await run(isOpen ? open : plain, { contentstring: "x" });
      assert.ok(["ok", "mismatch", "protocol", "status"].includes(reason), reason);
    }),
  );
});

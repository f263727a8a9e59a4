import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { createServer as createTlsServer } from "node:tls";
import test from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

import { waitFor } from "../../../test/time/wait-for.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import {
  dripping,
  flooding,
  listen,
  saying,
  sayingLast,
  tcpPeer,
  type SocketHandler,
} from "../../../test/peers/tcp.ts";
import { ProtocolError } from "../protocol-error.ts";
import { systemClock } from "../clock.ts";
import { Interrupted } from "../net/dial.ts";
import { createEgress, type Egress } from "../net/egress.ts";
import {
  exchange,
  type HttpResponse,
  type HttpContext,
  type HttpProgress,
  type HttpRequest,
} from "./exchange.ts";
import { createResolver } from "../net/resolver.ts";

const certificate = selfSigned();
const egress = createEgress({ mode: "private", resolver: createResolver() });
const context: HttpContext = {
  egress,
  signal: new AbortController().signal,
  monotonic: systemClock.monotonic,
};

function ask(
  url: string,
  parts: Partial<HttpRequest> = {},
  within: Partial<HttpContext> = {},
): Promise<HttpResponse> {
  return exchange(
    { url: new URL(url), method: "GET", readBody: true, verifyTls: false, ...parts },
    { ...context, ...within },
  );
}

function text({ body }: HttpResponse): string {
  return Buffer.from(body).toString("utf8");
}

test("an answer has its status, headers, body, address and phases in order", async () => {
  await using peer = await httpPeer((_, response) =>
    response.writeHead(418, { "X-Kind": "teapot" }).end("short and stout"),
  );
  const answer = await ask(peer.url);
  assert.deepEqual(
    [answer.status, answer.headers["x-kind"], text(answer), answer.truncated, answer.address],
    [418, "teapot", "short and stout", false, "127.0.0.1"],
  );
  const { dns, connect, tls, firstByte, total } = answer.phases;
  assert.equal(tls, undefined);
  assert.ok(dns >= 0 && connect >= dns && firstByte >= connect && total >= firstByte);
});

test("a request is written as asked, with our own framing", async () => {
  const seen: (IncomingHttpHeaders | string | undefined)[] = [];
  await using peer = await httpPeer((request, response) => {
    request.setEncoding("utf8").once("data", (body: string) => {
      seen.push(request.method, request.url, body, request.headers);
      response.end();
    });
  });
  await ask(`${peer.url}/a%20b?c=d#e`, {
    method: "POST",
    headers: { "X-One": "1" },
    body: "grüße",
  });
  assert.deepEqual(seen, [
    "POST",
    "/a%20b?c=d",
    "grüße",
    {
      host: `127.0.0.1:${peer.port}`,
      "x-one": "1",
      "accept-encoding": "gzip, deflate, br",
      "content-length": "7",
      connection: "close",
    },
  ]);
});

for (const body of [undefined, "grüße"]) {
  test(`a header value beyond ASCII is sent byte by byte, before the body ${body}`, async () => {
    await using peer = await httpPeer((request, response) =>
      response.end(request.headers["x-one"]),
    );
    const value = Buffer.from("→ é", "utf8").toString("latin1");
    const answer = await ask(peer.url, {
      method: "POST",
      headers: { "X-One": value },
      ...(body === undefined ? {} : { body }),
    });
    assert.equal(text(answer), value);
  });
}

const credentials = [
  { userinfo: "alice:secret@", headers: {}, authorization: "alice:secret" },
  { userinfo: "al%40ice:s%3Acret@", headers: {}, authorization: "al@ice:s:cret" },
  { userinfo: "alice:100%@", headers: {}, authorization: "alice:100%" },
  { userinfo: "alice@", headers: {}, authorization: "alice:" },
  { userinfo: "", headers: {}, authorization: undefined },
];

for (const { userinfo, headers, authorization } of credentials) {
  test(`the userinfo ${JSON.stringify(userinfo)} is sent as ${JSON.stringify(authorization)}`, async () => {
    await using peer = await httpPeer((request, response) =>
      response.end(request.headers.authorization),
    );
    const answer = await ask(peer.url.replace("//", `//${userinfo}`), { headers });
    assert.equal(
      text(answer),
      authorization === undefined ? "" : `Basic ${Buffer.from(authorization).toString("base64")}`,
    );
  });
}

test("an authorization that was given goes before the userinfo", async () => {
  await using peer = await httpPeer((request, response) =>
    response.end(request.headers.authorization),
  );
  assert.equal(
    text(
      await ask(peer.url.replace("//", "//alice:secret@"), {
        headers: { AUTHORIZATION: "Bearer one" },
      }),
    ),
    "Bearer one",
  );
});

test("a header that cannot be sent is refused before anything is dialled", async () => {
  await using peer = await httpPeer((_, response) => response.end());
  const headers = { "X-One": "1\r\nX-Two: 2" };
  await assert.rejects(ask(peer.url, { headers }), { code: "invalid_input" });
  assert.equal(peer.accepted(), 0);
});

/* guard: schemes of requests */ test("a scheme that is not of the web is refused", async () => {
  for (const url of ["file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/"])
    await assert.rejects(ask(url), { code: "invalid_input" });
});

/* guard: the address that was judged is dialled */ test("the address that egress gave is dialled, whatever the name is", async () => {
  await using peer = await httpPeer((request, response) => response.end(request.headers.host));
  const pinned: Egress = {
    resolve: () => Promise.resolve({ address: "127.0.0.1", family: 4 }),
    isPublic: () => false,
  };
  assert.equal(
    text(await ask(`http://pinned.invalid:${peer.port}/`, {}, { egress: pinned })),
    `pinned.invalid:${peer.port}`,
  );
});

test("the family that is asked for reaches egress", async () => {
  await using peer = await httpPeer((_, response) => response.end());
  await assert.rejects(ask(peer.url, { family: 6 }), { code: "dns_failure" });
});

test("TLS is asked for by name, without the trailing dot", async () => {
  const names: string[] = [];
  await using peer = await listen(
    createTlsServer(
      { ...certificate, SNICallback: (name, done) => (names.push(name), done(null)) },
      (socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"),
    ),
  );
  const pinned: Egress = {
    resolve: () => Promise.resolve({ address: "127.0.0.1", family: 4 }),
    isPublic: () => false,
  };
  const answer = await ask(`https://named.test.:${peer.port}/`, {}, { egress: pinned });
  assert.deepEqual([answer.status, names], [204, ["named.test"]]);
  const { connect, tls = 0, firstByte } = answer.phases;
  assert.ok(tls >= connect && firstByte >= tls);
});

test("a certificate that is not trusted matters only where TLS is verified", async () => {
  await using peer = await httpPeer((_, response) => response.end("hello"), certificate);
  assert.equal(text(await ask(peer.url)), "hello");
  await assert.rejects(ask(peer.url, { verifyTls: true }), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
});

const hello = Buffer.from("hello ".repeat(1000));
const encodings = [
  { name: "gzip", encoding: "gzip", bytes: gzipSync(hello) },
  { name: "x-gzip", encoding: "X-GZIP", bytes: gzipSync(hello) },
  { name: "deflate", encoding: "deflate", bytes: deflateSync(hello) },
  { name: "bare deflate", encoding: "deflate", bytes: deflateRawSync(hello) },
  { name: "br", encoding: "br", bytes: brotliCompressSync(hello) },
  { name: "no", encoding: "identity", bytes: hello },
];

for (const { name, encoding, bytes } of encodings) {
  test(`a body in ${name} encoding is decoded`, async () => {
    await using peer = await httpPeer((_, response) =>
      response.writeHead(200, { "Content-Encoding": encoding }).end(bytes),
    );
    assert.equal(text(await ask(peer.url)), hello.toString());
  });

  test(`an empty body in ${name} encoding is empty`, async () => {
    await using peer = await httpPeer((_, response) =>
      response.writeHead(200, { "Content-Encoding": encoding }).end(),
    );
    assert.equal(text(await ask(peer.url)), "");
  });
}

const bomb = Buffer.alloc(32 * 2 ** 20);
const bombs = [
  { name: "gzip", bytes: gzipSync(bomb) },
  { name: "deflate", bytes: deflateSync(bomb) },
  { name: "br", bytes: brotliCompressSync(bomb) },
];

for (const { name, bytes } of bombs) {
  /* guard: size of bodies */ test(`a ${name} bomb is cut at 3 MiB, decoded`, async () => {
    await using peer = await httpPeer((_, response) =>
      response.writeHead(200, { "Content-Encoding": name }).end(bytes),
    );
    const answer = await ask(peer.url);
    assert.deepEqual([answer.body.length, answer.truncated], [3 * 2 ** 20, true]);
  });
}

test("a body of 3 MiB in chunks of 32 bytes is whole", async () => {
  const chunk = `20\r\n${"x".repeat(32)}\r\n`;
  const bytes = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(98_304)}0\r\n\r\n`;
  await using peer = await tcpPeer(saying(bytes));
  const { body, truncated } = await ask(`http://127.0.0.1:${peer.port}/`);
  assert.deepEqual([body.length, truncated], [3 * 2 ** 20, false]);
});

test("a body of just the cap is whole, and one byte more is cut", async () => {
  await using peer = await httpPeer((request, response) =>
    response.end("x".repeat(Number(request.url?.slice(1)))),
  );
  const whole = await ask(`${peer.url}/10`, { maxBodyBytes: 10 });
  const more = await ask(`${peer.url}/11`, { maxBodyBytes: 10 });
  assert.deepEqual(
    [text(whole), whole.truncated, text(more), more.truncated],
    ["x".repeat(10), false, "x".repeat(10), true],
  );
});

test("an endless body is cut, and its connection closed", async () => {
  await using peer = await httpPeer((_, response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", pour);
    pour();
  });
  assert.equal((await ask(peer.url)).truncated, true);
  await waitFor("a closed connection", () => peer.open() === 0);
});

test("without its body an answer is there with its head and what came along, and the connection is closed", async () => {
  await using peer = await tcpPeer(
    saying("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nhello"),
  );
  const answer = await ask(`http://127.0.0.1:${peer.port}/`, { readBody: false });
  assert.deepEqual(
    [answer.status, text(answer), answer.truncated, answer.phases.total],
    [200, "hello", true, answer.phases.firstByte],
  );
  await waitFor("a closed connection", () => peer.open() === 0);
});

const HEAD = "HTTP/1.1 200 OK\r\n";
const answers: readonly {
  readonly name: string;
  readonly bytes: string;
  readonly status: number;
  readonly body?: string;
}[] = [
  {
    name: "HTTP/1.0 without a length",
    bytes: "HTTP/1.0 200 OK\r\n\r\nhello",
    status: 200,
    body: "hello",
  },
  {
    name: "no reason phrase",
    bytes: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi",
    status: 200,
    body: "hi",
  },
  {
    name: "an early hint first",
    bytes: `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${HEAD}Content-Length: 2\r\n\r\nhi`,
    status: 200,
    body: "hi",
  },
  {
    name: "twenty interim answers",
    bytes: `${"HTTP/1.1 100 Continue\r\n\r\n".repeat(20)}${HEAD}Content-Length: 2\r\n\r\nhi`,
    status: 200,
    body: "hi",
  },
  {
    name: "a switch of protocols",
    bytes: "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nnoise",
    status: 101,
  },
  {
    name: "304",
    bytes: "HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n",
    status: 304,
    body: "",
  },
  { name: "204 with a body", bytes: "HTTP/1.1 204 No Content\r\n\r\nhello", status: 204, body: "" },
  { name: "999", bytes: "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", status: 999, body: "" },
];

for (const { method, head, status } of [
  { method: "CONNECT", head: "200 Connection established\r\nContent-Length: 9", status: 200 },
  { method: "GET", head: "101 Switching\r\nConnection: Upgrade\r\nUpgrade: x", status: 101 },
]) {
  test(`what follows a ${status} to ${method} is no body`, async () => {
    await using peer = await tcpPeer(saying(`HTTP/1.1 ${head}\r\n\r\nnoise`));
    const answer = await ask(`http://127.0.0.1:${peer.port}/`, { method });
    assert.deepEqual([answer.status, text(answer)], [status, ""]);
    await waitFor("a closed connection", () => peer.open() === 0);
  });
}

test("the caller gets how far an exchange came, also where it broke off", async () => {
  const calls: string[] = [];
  const onProgress = ({ address, phases, head, certificate }: HttpProgress): void => {
    const shown = [certificate?.subject ?? [], head?.status ?? []].flat();
    calls.push([address, ...Object.keys(phases), ...shown].join(" "));
  };
  await using peer = await tcpPeer(sayingLast(`${HEAD}Content-Length: 10\r\n\r\nhi`));
  await assert.rejects(ask(`http://127.0.0.1:${peer.port}/`, {}, { onProgress }));
  await using whole = await httpPeer((_, response) => response.end());
  await ask(whole.url, {}, { onProgress });
  const steps = ["127.0.0.1 dns", "127.0.0.1 dns connect", "127.0.0.1 dns connect firstByte 200"];
  assert.deepEqual(calls.splice(0), [
    ...steps,
    ...steps,
    "127.0.0.1 dns connect firstByte total 200",
  ]);
  await using secret = await httpPeer((_, response) => response.end(), certificate);
  await ask(secret.url, {}, { onProgress });
  assert.deepEqual(calls, [
    "127.0.0.1 dns",
    "127.0.0.1 dns connect",
    "127.0.0.1 dns connect tls localhost",
    "127.0.0.1 dns connect tls firstByte localhost 200",
    "127.0.0.1 dns connect tls firstByte total localhost 200",
  ]);
});

test("a client certificate is shown to a server that asks for it", async () => {
  const shown: unknown[] = [];
  await using peer = await listen(
    createTlsServer({ ...certificate, requestCert: true, rejectUnauthorized: false }, (socket) => {
      shown.push(socket.getPeerCertificate().subject?.CN);
      socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    }),
  );
  const url = `https://127.0.0.1:${peer.port}/`;
  await ask(url, { clientCertificate: `${certificate.cert}${certificate.key}` });
  await ask(url);
  assert.deepEqual(shown, ["localhost", undefined]);
});

for (const { name, bytes, status, body } of answers) {
  test(`an answer with ${name} is read`, async () => {
    await using peer = await tcpPeer(sayingLast(bytes));
    const answer = await ask(`http://127.0.0.1:${peer.port}/`, { readBody: body !== undefined });
    assert.deepEqual([answer.status, text(answer)], [status, body ?? ""]);
  });
}

/** Ends a head: without the guard that is tested the answer is whole, and the test fails at once. */
const NO_BODY = "Content-Length: 0\r\n\r\n";

const broken: readonly { readonly name: string; readonly bytes: string | Buffer }[] = [
  { name: "not HTTP", bytes: "220 mail.test ESMTP\r\n" },
  { name: "ICY", bytes: "ICY 200 OK\r\n\r\n" },
  { name: "a bad status", bytes: "HTTP/1.1 2x0 OK\r\n\r\n" },
  { name: "line feeds only", bytes: "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi" },
  { name: "two lengths", bytes: `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi` },
  {
    name: "a length and chunks",
    bytes: `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  },
  { name: "a head over 64 KiB", bytes: `${HEAD}X-Large: ${"x".repeat(65_536)}\r\n${NO_BODY}` },
  { name: "20,000 headers", bytes: `${HEAD}${"X-A: b\r\n".repeat(20_000)}${NO_BODY}` },
  {
    name: "too many interim answers",
    bytes: `${"HTTP/1.1 100 Continue\r\n\r\n".repeat(21)}${HEAD}${NO_BODY}`,
  },
  {
    name: "a bad chunk size",
    bytes: `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n0\r\n\r\n`,
  },
  {
    name: "very many chunks",
    bytes: `${HEAD}Transfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(10_400)}0\r\n\r\n`,
  },
  {
    name: "a huge chunk extension",
    bytes: `${HEAD}Transfer-Encoding: chunked\r\n\r\n2;${"x".repeat(40_000)}\r\nhi\r\n0\r\n\r\n`,
  },
  {
    name: "a body that is not the gzip it says",
    bytes: `${HEAD}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello`,
  },
  {
    name: "a body that is not the br it says",
    bytes: `${HEAD}Content-Encoding: br\r\nContent-Length: 5\r\n\r\n\xff\xff\xff\xff\xff`,
  },
  {
    name: "a gzip cut short",
    bytes: Buffer.concat([
      Buffer.from(`${HEAD}Content-Encoding: gzip\r\nContent-Length: 30\r\n\r\n`),
      gzipSync(hello).subarray(0, 30),
    ]),
  },
];

for (const { name, bytes } of broken) {
  /* guard: chunks of bodies */ /* guard: interim answers */ /* guard: size of heads */ test(`an answer with ${name} is refused`, async () => {
    await using peer = await tcpPeer(saying(bytes));
    await assert.rejects(ask(`http://127.0.0.1:${peer.port}/`), ProtocolError);
    await waitFor("a closed connection", () => peer.open() === 0);
  });
}

test("an answer that is no HTTP is refused with what was received", async () => {
  await using peer = await tcpPeer(saying("220 mail.test\r\n"));
  const received = Buffer.from("220 mail.test\r\n");
  await assert.rejects(ask(`http://127.0.0.1:${peer.port}/`), { code: "protocol_error", received });
});

const cutShort = [
  { name: "before the head", manner: sayingLast("") },
  { name: "in the head", manner: sayingLast("HTTP/1.1 200 OK\r\nX-Ha") },
  { name: "in a body of known length", manner: sayingLast(`${HEAD}Content-Length: 10\r\n\r\nhi`) },
  { name: "in a chunk", manner: sayingLast(`${HEAD}Transfer-Encoding: chunked\r\n\r\nff\r\nhi`) },
];

for (const { name, manner } of cutShort) {
  test(`a connection that ends ${name} is an error`, async () => {
    await using peer = await tcpPeer(manner);
    await assert.rejects(ask(`http://127.0.0.1:${peer.port}/`), { code: "ECONNRESET" });
  });
}

const endless: readonly { readonly name: string; readonly manner: SocketHandler }[] = [
  { name: "a dripping head", manner: dripping(`${HEAD}X-Slow: `) },
  { name: "a dripping body", manner: dripping(`${HEAD}Content-Length: 1000000\r\n\r\n`) },
  {
    name: "an endless chunked body of tiny chunks",
    manner: (socket) =>
      socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`) && flooding("1\r\nx\r\n")(socket),
  },
];

for (const { name, manner } of endless) {
  /* guard: the signal ends an exchange */ test(`the signal ends ${name} at once, and the error says where it was`, async () => {
    await using peer = await tcpPeer(manner);
    const controller = new AbortController();
    const asking = ask(
      `http://127.0.0.1:${peer.port}/`,
      { maxBodyBytes: 2 ** 30 },
      { signal: controller.signal },
    );
    await waitFor("a connection", () => peer.accepted() > 0);
    let reason: unknown;
    asking.catch((error: unknown) => (reason = error));
    controller.abort("over");
    // Promises alone, without a turn of the loop: a probe waits no longer for who knows the address.
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    assert.ok(reason instanceof Interrupted);
    assert.deepEqual([reason.phase, reason.address], ["answer", "127.0.0.1"]);
    await waitFor("a closed connection", () => peer.open() === 0);
  });
}

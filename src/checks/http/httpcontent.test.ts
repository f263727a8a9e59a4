import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import test, { after } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { dripping, flooding, tcpPeer, type SocketHandler } from "../../../test/peers/tcp.ts";
import { nginx } from "../../../test/servers/nginx.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import { httpContentCheck } from "./httpcontent.ts";

checkParametersContract(httpContentCheck, {
  least: { target: "http://example.com/" },
  leastReads: {
    target: "http://example.com/",
    regex: false,
    invert: false,
    follow: false,
    ipv6: false,
    verify: false,
  },
  full: {
    target: "https://alice:secret@example.com/a?b=c",
    contentstring: "(",
    regex: false,
    invert: "true",
    follow: "false",
    ipv6: "1",
    verify: "yes",
    warningdays: "14",
  },
  fullReads: {
    target: "https://alice:secret@example.com/a?b=c",
    contentstring: "(",
    regex: false,
    invert: true,
    follow: false,
    ipv6: true,
    verify: true,
    warningdays: 14,
  },
});

checkTypeContract(httpContentCheck, {
  healthy: () => httpPeer((_, response) => response.end("all is well")),
  parameters: ({ host, port }) => ({ target: `http://${host}:${port}/`, contentstring: "well" }),
  endings: {
    silence: "timeout",
    drip: "timeout",
    garbage: "protocol",
    reset: "protocol",
    close: "protocol",
    flood: "protocol",
  },
});

type Parameters = Readonly<Record<string, unknown>>;

function run(parameters: Parameters): Promise<Outcome> {
  return httpContentCheck.prepare(parameters).run(contextOf());
}

/** Returns the check's result in short form. */
async function verdict(answer: RequestListener, parameters: Parameters): Promise<string> {
  await using peer = await httpPeer(answer);
  const { reason, text, message } = await run({ target: peer.url, ...parameters });
  return `${reason} ${text} ${message}`;
}

const MIB = 2 ** 20;
const large = `${"x".repeat(4 * MIB)}late`;
const rules: readonly {
  readonly parameters: Parameters;
  readonly body: string;
  readonly ends: string;
}[] = [
  { parameters: { contentstring: "well" }, body: "all is well", ends: "ok 200 Success" },
  {
    parameters: { contentstring: "Well" },
    body: "all is well",
    ends: 'mismatch 200 Text not found: "Well"',
  },
  { parameters: { contentstring: "well" }, body: "", ends: 'mismatch 200 Text not found: "well"' },
  {
    parameters: { contentstring: "w.ll" },
    body: "all is well",
    ends: 'mismatch 200 Text not found: "w.ll"',
  },
  {
    parameters: { contentstring: "error", invert: true },
    body: "all is well",
    ends: "ok 200 Success",
  },
  {
    parameters: { contentstring: "well", invert: true },
    body: "all is well",
    ends: 'mismatch 200 Forbidden text found: "well"',
  },
  {
    parameters: { contentstring: "^all.+l$", regex: true },
    body: "all is well",
    ends: "ok 200 Success",
  },
  {
    parameters: { contentstring: "w.l$", regex: true },
    body: "all is well",
    ends: 'mismatch 200 Pattern not found: "w.l$"',
  },
  {
    parameters: { contentstring: "w.ll", regex: true, invert: true },
    body: "all is well",
    ends: 'mismatch 200 Forbidden pattern found: "w.ll"',
  },
  { parameters: {}, body: large, ends: "ok 200 Success" },
  { parameters: { contentstring: "xx" }, body: large, ends: "ok 200 Success" },
  {
    parameters: { contentstring: "xx", invert: true },
    body: large,
    ends: 'mismatch 200 Forbidden text found: "xx"',
  },
  {
    parameters: { contentstring: "late" },
    body: large,
    ends: "mismatch 413 3MB file size exceeded",
  },
  {
    parameters: { contentstring: "late", invert: true },
    body: large,
    ends: "mismatch 413 3MB file size exceeded",
  },
  {
    parameters: { contentstring: "x$", regex: true },
    body: large,
    ends: "mismatch 413 3MB file size exceeded",
  },
  {
    parameters: { contentstring: "late", regex: true, invert: true },
    body: large,
    ends: "mismatch 413 3MB file size exceeded",
  },
];

for (const { parameters, body, ends } of rules) {
  test(`${JSON.stringify(parameters)} in ${JSON.stringify(body.slice(0, 20))} ends as ${ends}`, async () => {
    assert.equal(await verdict((_, response) => response.end(body), parameters), ends);
  });
}

const charsets = [
  { type: "text/plain; charset=iso-8859-1", body: Buffer.from("grüße", "latin1") },
  { type: 'text/html; charset="UTF-16LE"', body: Buffer.from("grüße", "utf16le") },
  { type: "text/html; charset=klingon", body: Buffer.from("grüße") },
  { type: "text/html", body: Buffer.from("\uFEFFgrüße") },
  { type: "text/html", body: Buffer.concat([Buffer.of(0xff), Buffer.from("grüße")]) },
  { type: undefined, body: Buffer.from("grüße") },
  { type: "text/html", body: Buffer.from("\uFEFFgrüße", "utf16le") },
  { type: "text/html; charset=utf-8", body: Buffer.from("\uFEFFgrüße", "utf16le") },
  { type: "application/json", body: Buffer.from("\uFEFFgrüße", "utf16le").swap16() },
  {
    type: "text/html",
    body: Buffer.from('<html><META lang=de charset="iso-8859-1"/>grüße', "latin1"),
  },
  {
    type: "text/html",
    body: Buffer.from(
      `<meta name=a><meta http-equiv=Content-Type content='text/html; charset=windows-1252'>grüße`,
      "latin1",
    ),
  },
  { type: "text/html", body: Buffer.from("<meta charset=utf-16>grüße") },
  { type: "text/html", body: Buffer.from("<meta charset=klingon>grüße") },
  { type: "text/html; charset=utf-8", body: Buffer.from("<meta charset=latin1>grüße") },
  { type: "text/plain", body: Buffer.from("<meta charset=latin1>grüße") },
  {
    type: "application/rss+xml",
    body: Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>grüße', "latin1"),
  },
];

for (const { type, body } of charsets) {
  test(`a body of ${body.length} bytes of ${type} is read in its charset`, async () => {
    const answer: RequestListener = (_, response) =>
      response.writeHead(200, type === undefined ? {} : { "Content-Type": type }).end(body);
    assert.equal(await verdict(answer, { contentstring: "grüße" }), "ok 200 Success");
  });
}

for (const [encoding, bytes] of [
  ["gzip", gzipSync(Buffer.alloc(64 * MIB, "x"))],
  ["br", brotliCompressSync(Buffer.alloc(64 * MIB, "x"))],
] as const) {
  test(`a ${encoding} bomb is unpacked to its cap and no further`, async () => {
    const answer: RequestListener = (_, response) =>
      response.writeHead(200, { "Content-Encoding": encoding }).end(bytes);
    assert.equal(
      await verdict(answer, { contentstring: "late", invert: true }),
      "mismatch 413 3MB file size exceeded",
    );
  });
}

const HEAD = "HTTP/1.1 200 OK\r\n";
const manners: readonly {
  readonly name: string;
  readonly manner: SocketHandler;
  readonly ends: string;
}[] = [
  {
    name: "pours for ever",
    manner: (socket) => socket.write(`${HEAD}\r\n`) && flooding("more and more ")(socket),
    ends: "mismatch 413 3MB file size exceeded",
  },
  {
    name: "closes within its body",
    manner: (socket) => socket.end(`${HEAD}Content-Length: 100\r\n\r\nall is`),
    ends: "protocol Connection closed Connection closed while reading the body",
  },
  {
    name: "lies about its encoding",
    manner: (socket) => socket.write(`${HEAD}Content-Encoding: gzip\r\n\r\nall is well`),
    ends: "protocol Protocol error Protocol error: incorrect header check",
  },
  {
    name: "answers with an error page that has the text",
    manner: (socket) => socket.end("HTTP/1.1 500 Oh\r\n\r\nall is well"),
    ends: "status 500 HTTP status returned: 500",
  },
];

for (const { name, manner, ends } of manners) {
  test(`a target that ${name} ends as ${ends}`, async () => {
    await using peer = await tcpPeer(manner);
    const outcome = await run({ target: `http://127.0.0.1:${peer.port}/`, contentstring: "well" });
    assert.equal(`${outcome.reason} ${outcome.text} ${outcome.message}`, ends);
    assert.equal(outcome.address, "127.0.0.1");
    await waitFor("a closed connection", () => peer.open() === 0);
  });
}

const evidence = [
  {
    name: "a body that does not have the text",
    answer: "\r\nall is lost",
    expected: "HTTP 200 OK\n\nall is lost",
  },
  {
    name: "a body that is packed",
    answer: Buffer.concat([
      Buffer.from("Content-Encoding: gzip\r\n\r\n"),
      gzipSync("all is lost ".repeat(1000)),
    ]),
    expected: `HTTP 200 OK\ncontent-encoding: gzip\n\n${"all is lost ".repeat(1000)}`.slice(
      0,
      4096,
    ),
  },
  {
    name: "a body that breaks off",
    answer: "Set-Cookie: a=b\r\nContent-Length: 100\r\n\r\nall",
    expected: "HTTP 200 OK\ncontent-length: 100",
  },
  {
    name: "a body that is broken",
    answer: "Set-Cookie: a=b\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    expected: "HTTP 200 OK\ntransfer-encoding: chunked",
  },
];

for (const { name, answer, expected } of evidence) {
  test(`the evidence of ${name} is what was read`, async () => {
    await using peer = await tcpPeer((socket) =>
      socket.end(Buffer.concat([Buffer.from(HEAD), Buffer.from(answer)])),
    );
    const target = `http://127.0.0.1:${peer.port}/`;
    const outcome = await run({ target, contentstring: "well" });
    assert.deepEqual([outcome.passed, outcome.evidence], [false, expected]);
  });
}

test("a body that drips ends with the time of the run, and its timings say how far it came", async () => {
  await using peer = await tcpPeer(dripping(`${HEAD}Content-Length: 1000000\r\n\r\n`));
  const controller = new AbortController();
  const { signal } = controller;
  let phases = 0;
  const running = httpContentCheck
    .prepare({ target: `http://127.0.0.1:${peer.port}/`, contentstring: "x" })
    .run(contextOf({ signal, monotonic: () => (phases += 1) }));
  await waitFor("the first byte of the answer", () => phases > 4);
  await drainEventLoop();
  controller.abort("over");
  const { reason, message, evidence, timings = {} } = await running;
  assert.deepEqual([reason, message], ["timeout", "Timeout reading the body"]);
  assert.equal(evidence, "HTTP 200 OK\ncontent-length: 1000000");
  assert.deepEqual(Object.keys(timings), ["dns", "connect", "firstByte", "total"]);
});

test("the body is not read where nothing is looked for", async () => {
  await using peer = await tcpPeer(dripping(`${HEAD}Content-Length: 1000000\r\n\r\n`));
  const outcome = await run({ target: `http://127.0.0.1:${peer.port}/` });
  assert.deepEqual([outcome.passed, outcome.text], [true, "200"]);
});

test("an expression that takes for ever decides nothing", async () => {
  await using peer = await httpPeer((_, response) => response.end(`${"a".repeat(50)}!`));
  await assert.rejects(run({ target: peer.url, contentstring: "^(a+)+$", regex: true }), {
    code: "unavailable",
  });
});

const web = await nginx({
  files: {
    "page.html": "<html>The shop is open</html>",
    "latin.txt": Buffer.from("Straßencafé", "latin1"),
    passwords: "alice:{PLAIN}s@cret\n",
  },
  rules: `
    gzip on;
    gzip_min_length 1;
    location = /latin.txt { charset iso-8859-1; }
    location = /moved { return 302 /page.html; }
    location = /inside { auth_basic members; auth_basic_user_file files/passwords; try_files /page.html =404; }
  `,
});
after(() => web[Symbol.asyncDispose]());

const pages = [
  { path: "/page.html", contentstring: "The shop is open", ends: "ok 200 Success" },
  {
    path: "/page.html",
    contentstring: "The shop is closed",
    ends: 'mismatch 200 Text not found: "The shop is closed"',
  },
  { path: "/latin.txt", contentstring: "Straßencafé", ends: "ok 200 Success" },
  {
    path: "/nowhere",
    contentstring: "404 Not Found",
    ends: "status 404 HTTP status returned: 404",
  },
  {
    path: "/moved",
    contentstring: "The shop is open",
    ends: 'mismatch 302 Text not found: "The shop is open"',
  },
  { path: "/moved", contentstring: "The shop is open", follow: true, ends: "ok 200 Success" },
  { path: "/inside", contentstring: "open", ends: "status 401 HTTP status returned: 401" },
  { path: "/inside", user: "alice:s%40cret@", contentstring: "open", ends: "ok 200 Success" },
  {
    path: "/inside",
    user: "alice:wrong@",
    contentstring: "open",
    ends: "status 401 HTTP status returned: 401",
  },
];

for (const { path, user = "", ends, ...parameters } of pages) {
  for (const scheme of ["url", "secureUrl"] as const) {
    test(`a real server at the ${scheme} ${user}${path} with ${JSON.stringify(parameters)} ends as ${ends}`, async () => {
      const target = `${web[scheme].replace("//", `//${user}`)}${path}`;
      const { reason, text, message, address, timings = {} } = await run({ target, ...parameters });
      assert.equal(`${reason} ${text} ${message}`, ends);
      assert.equal(address, "127.0.0.1");
      const tls = scheme === "secureUrl" ? ["tls"] : [];
      assert.deepEqual(Object.keys(timings), ["dns", "connect", ...tls, "firstByte", "total"]);
    });
  }
}

import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { samples } from "../../../test/checks/samples.ts";
import { asJson } from "../../../test/contracts/check-parameters.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import { dnsCheck } from "../dns/dns.ts";
import { checkTypeOf, checkTypes } from "../registry.ts";
import { smtpCheck } from "../mail/smtp.ts";
import { sshCheck } from "../ssh/ssh.ts";
import { sslCheck } from "../tls/ssl.ts";
import { webSocketCheck } from "../http/websocket.ts";

/** Parameters that cannot be sent together with one of the example, which they replace. */
const alternatives: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PUSH: { replaced: "cron", oncalendar: "Mon..Fri 02:30" },
};

for (const { type, schema, assigned, prepare } of checkTypes) {
  test(`the example of ${type} has every parameter, and what it must have is enough`, () => {
    const { least = {}, full = {} } = samples[type] ?? {};
    const { replaced = "", ...instead } = alternatives[type] ?? {};
    const { [replaced]: _replaced, ...others } = full;
    assert.deepEqual(
      new Set(Object.keys(schema.shape)),
      new Set([...Object.keys(full), ...Object.keys(instead), ...assigned]),
    );
    for (const parameters of [full, { ...others, ...instead }, least]) prepare(parameters);
  });
}

const HOST = "must be a host name or an IP address";
const WEB =
  "Invalid URL, must be one that begins with http:// or https://, of at most 8000 characters";
const PORT = "must be a whole number from 1 to 65535";
const LINE = "must be one line of at most 1000 characters";
const SWITCH = "must be true or false";
const SENT_HEADERS =
  "must be an object of at most 100 header names to text, each name once, and none of connection, content-length, expect, keep-alive, trailer, transfer-encoding, upgrade";
const HEADERS = "must be an object of at most 100 header names to text";
const SCALAR = (maxLength: number): string =>
  `must be text of at most ${maxLength} characters, a number, true, false or null`;
const ASCII = "must be one line of ASCII text";
const FIELDS = "must be an object of at most 100 fields";
const DOMAIN = "must be a domain name or an IP address";

const [alice, bob] = [selfSigned(), selfSigned()];

/** Each type's own parameters, values that they refuse, and the sentence. */
const refusals: readonly [
  type: string,
  parameter: string,
  values: readonly unknown[],
  sentence: string,
][] = [
  ["AUDIO", "target", ["", "example.com", "rtsp://example.com/", 5], WEB],
  ["AUDIO", "verifyvolume", ["loud", "", 2, {}], SWITCH],
  ["AUDIO", "volumemin", [-91, 1, "-1.5", "loud", true], "must be a whole number from -90 to 0"],
  ["DNS", "target", ["a b", "http://", 5, []], HOST],
  ["DNS", "port", [0, 65_536, "53x", 5.5, [53]], PORT],
  ["DNS", "transport", ["tls", "sctp", 1, ["udp"]], "must be one of udp, tcp"],
  [
    "DNS",
    "dnstype",
    ["B", "A,MX", 1, true],
    "must be one of A, AAAA, ANY, CNAME, MX, NS, PTR, SOA, SRV, TXT",
  ],
  ["DNS", "dnstoresolve", ["a b", "a..b", ".a", "a\nb", "x".repeat(64), "x.".repeat(128)], DOMAIN],
  ["DNS", "dnsrd", ["sometimes"], SWITCH],
  ["DNS", "dnssection", ["question"], "must be one of answer, authority, additional, edns_options"],
  ["DNS", "contentstring", ["x".repeat(10_001), {}], "must be text of at most 10000 characters"],
  ["FTP", "target", ["", undefined, "ftp://"], HOST],
  ["FTP", "username", ["a\r\nDELE b", "a\nb", "x".repeat(1001), true, {}], LINE],
  ["FTP", "password", ["a\r\nDELE b", "\u{0}", ["a"]], LINE],
  ["FTP", "contentstring", ["a\r\nDELE b", "\u{7f}"], LINE],
  ["FTP", "invert", ["maybe"], SWITCH],
  ["HTTP", "follow", ["maybe", ""], SWITCH],
  ["HTTPADV", "target", ["file:///etc/passwd", "gopher://example.com/"], WEB],
  [
    "HTTPADV",
    "method",
    ["PATCH", "GET /", 1],
    "must be one of GET, POST, PUT, HEAD, TRACE, CONNECT, DELETE",
  ],
  [
    "HTTPADV",
    "sendheaders",
    [
      "",
      "a: b",
      [],
      { "": "x" },
      { "a b": "x" },
      { "a:": "x" },
      { "a\r\nb": "x" },
      { ü: "x" },
      { "Content-Length": "1" },
      { "transfer-encoding": "chunked" },
      { CONNECTION: "keep-alive" },
      { Host: "a", host: "b" },
    ],
    SENT_HEADERS,
  ],
  [
    "HTTPADV",
    "sendheaders.a",
    [{ a: "b\r\nc: d" }, { a: "b\nc" }, { a: "\u{0}" }, { a: "ü" }],
    ASCII,
  ],
  [
    "HTTPADV",
    "sendheaders.a",
    [{ a: {} }, { a: ["b"] }, { a: "b".repeat(16_385) }],
    SCALAR(16_384),
  ],
  ["HTTPADV", "receiveheaders", ["", 5, { "a b": "x" }, JSON.parse('{"__proto__":"x"}')], HEADERS],
  ["HTTPADV", "receiveheaders.a", [{ a: "b\nc" }], ASCII],
  ["HTTPADV", "data", ["", "a=b", ["a"]], "must be an object of at most 1000 names to text"],
  ["HTTPADV", "data.a", [{ a: { b: "c" } }, { a: "b".repeat(50_001) }], SCALAR(50_000)],
  [
    "HTTPADV",
    "postdata",
    [{ a: "b" }, "x".repeat(50_001)],
    "must be text of at most 50000 characters",
  ],
  ["HTTPADV", "statuscode", [99, 600, "2xx", true], "must be a whole number from 100 to 599"],
  ["HTTPADV", "regex", ["pcre"], SWITCH],
  ["HTTPADV", "fields", ["", "a", []], FIELDS],
  [
    "HTTPADV",
    "clientcert",
    [
      "deploy",
      alice.cert,
      alice.key,
      `${alice.cert}${bob.key}`,
      `${alice.cert}${alice.key}${" ".repeat(10_000)}`,
      {},
    ],
    "must be a certificate and its private key in PEM, of at most 10000 characters",
  ],
  ["HTTPCONTENT", "target", ["ws://example.com/"], WEB],
  ["HTTPPARSE", "fields.a", [{ a: null }, { a: 1 }], "must be an object with name, min and max"],
  ["HTTPPARSE", "sendheaders", [{ "a\n": "b" }], SENT_HEADERS],
  ["IMAP4", "secure", ["tls", 2, {}], "must be one of false, ssl, starttls"],
  ["IMAP4", "verify", ["strict"], SWITCH],
  ["IMAP4", "warningdays", [-1, 1.5, "soon"], "must be a whole number from 0 to 36500"],
  [
    "IMAP4",
    "email",
    ["alice", "a@b\r\nc", "a b@c", "<a@b>", "a@b@c", 5],
    "must be an email address",
  ],
  ["MYSQL", "database", ["a\nb"], LINE],
  ["MYSQL", "query", [{}], "must be text of at most 10000 characters"],
  ["PING", "target", ["example.com:80", "-f example.com", "a/b", null], HOST],
  ["PING", "ipv6", ["6"], SWITCH],
  ["POP3", "secure", ["stls"], "must be one of false, ssl, starttls"],
  ["PORT", "port", [undefined, "", false], PORT],
  ["PUSH", "oldresultfail", ["never"], SWITCH],
  [
    "RBL",
    "ignore",
    [5, {}, "x".repeat(10_001)],
    "must be names divided by commas, of at most 10000 characters",
  ],
  ["RDP", "port", ["rdp"], PORT],
  ["SIP", "transport", ["ws"], "must be one of udp, tcp, tls"],
  ["SMTP", "secure", ["tls"], "must be one of false, ssl, starttls"],
  ["SMTP", "email", ["a@b>\r\nDATA"], "must be an email address"],
  [
    "SSH",
    "sshkey",
    [true, {}, 5, "K3Y1D", alice.key, "x".repeat(16_385)],
    "must be a private key for SSH without a passphrase, of at most 16384 characters",
  ],
  [
    "SSL",
    "target",
    ["", "ftp://example.com/", "https://", "a b"],
    "must be a host name, an IP address, or a web address",
  ],
  ["SSL", "servername", ["a b", "a/b"], HOST],
  [
    "WEBSOCKET",
    "target",
    ["example.com", "file:///x"],
    "Invalid URL, must be one that begins with ws:// or wss:// or http:// or https://, of at most 8000 characters",
  ],
  [
    "WEBSOCKET",
    "data",
    [5, ["a"], { a: {} }, "x".repeat(50_001)],
    "must be text of at most 50000 characters, or an object of at most 1000 names to text",
  ],
];

for (const [type, parameter, values, sentence] of refusals) {
  test(`${type} refuses what ${parameter} cannot be: ${sentence}`, () => {
    const [name = ""] = parameter.split(".");
    for (const value of values)
      assert.throws(
        () => checkTypeOf(type)?.prepare({ ...samples[type]?.least, [name]: value }),
        { code: "invalid_input", message: `${parameter}: ${sentence}` },
        JSON.stringify(value),
      );
  });
}

test("words are read in any case", () => {
  const { transport, dnstype, dnsrd } = dnsCheck.schema.parse({
    transport: "TCP",
    dnstype: " mx ",
    dnsrd: "False",
  });
  assert.deepEqual([transport, dnstype, dnsrd], ["tcp", "MX", false]);
  assert.equal(
    smtpCheck.schema.parse({ target: "a.example", secure: "STARTTLS" }).secure,
    "starttls",
  );
});

test("false stands for what is not there", () => {
  assert.deepEqual(
    asJson(sshCheck.schema.parse({ ...samples.SSH?.least, sshkey: false, password: false })),
    asJson(sshCheck.schema.parse({ ...samples.SSH?.least })),
  );
});

test("a pattern that is none is refused, and as plain text it is taken", () => {
  for (const type of ["HTTPADV", "HTTPCONTENT"]) {
    const sent = { target: "http://example.com/", contentstring: "(" };
    assert.throws(() => checkTypeOf(type)?.prepare({ ...sent, regex: true }), {
      code: "invalid_input",
      message: "contentstring: must be a regular expression where regex is set",
    });
    assert.ok(checkTypeOf(type)?.prepare(sent));
    assert.ok(checkTypeOf(type)?.prepare({ ...sent, contentstring: "{", regex: true }));
  }
});

test("a message is sent as it is written, and pairs as JSON", () => {
  const read = (data: unknown): unknown =>
    webSocketCheck.schema.parse({ target: "wss://example.com/", data }).data;
  assert.equal(read(' {"op":"ping"}\n'), ' {"op":"ping"}\n');
  assert.equal(read({ op: "ping", id: 1, all: true }), '{"op":"ping","id":1,"all":true}');
});

const targets = [
  { target: "example.com", reads: { host: "example.com" } },
  { target: "[2001:db8::1]", reads: { host: "2001:db8::1" } },
  { target: "https://example.com/a?b", reads: { host: "example.com" } },
  { target: "https://example.com:443/", reads: { host: "example.com" } },
  { target: "HTTPS://Example.com:8443", reads: { host: "example.com", port: 8443 } },
  { target: "https://[2001:db8::1]:8443/", reads: { host: "2001:db8::1", port: 8443 } },
];

for (const { target, reads } of targets) {
  test(`the certificate of ${target} is asked of ${JSON.stringify(reads)}`, () => {
    assert.deepEqual(asJson(sslCheck.schema.parse({ target }).target), reads);
  });
}

for (const name of [".", "example.com.", "0/25.2.0.192.in-addr.arpa", "*.example.com", "::1"]) {
  test(`the DNS may be asked for ${name}`, () => {
    assert.equal(dnsCheck.schema.parse({ dnstoresolve: name }).dnstoresolve, name);
  });
}

// guard: one line in parameters
test("no text that becomes a part of a command or a header can end its line", () => {
  const lineEnd = fc.constantFrom("\r", "\n", "\r\n", "\u{0}", "\u{85}");
  const broken = fc.tuple(fc.string(), lineEnd, fc.string()).map((parts) => parts.join(""));
  fc.assert(
    fc.property(broken, (text) => {
      for (const [type, sent] of [
        ["FTP", { username: text }],
        ["FTP", { password: text }],
        ["FTP", { contentstring: text }],
        ["SMTP", { email: `a@${text}` }],
        ["DNS", { dnstoresolve: text }],
        ["HTTPADV", { sendheaders: { a: text } }],
        ["HTTPADV", { sendheaders: { [text]: "a" } }],
        ["HTTPADV", { receiveheaders: { a: text } }],
      ] as const)
        assert.throws(() => checkTypeOf(type)?.prepare({ ...samples[type]?.least, ...sent }), {
          code: "invalid_input",
        });
    }),
  );
});

test("a whole number is read the same as text, and nothing beyond its range is taken", () => {
  fc.assert(
    fc.property(fc.integer({ min: -200_000, max: 200_000 }), (port) => {
      const read = [port, String(port)].map((sent) => dnsCheck.schema.safeParse({ port: sent }));
      for (const { success, data } of read) {
        assert.equal(success, port >= 1 && port <= 65_535);
        assert.equal(data?.port, success ? port : undefined);
      }
    }),
  );
});

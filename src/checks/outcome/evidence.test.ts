import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { maxEvidenceLength, evidenceText, httpEvidence } from "./evidence.ts";

const texts = [
  { name: "text", bytes: "220 ready\r\n", expected: "220 ready\r\n" },
  { name: "text beyond ASCII", bytes: "größer 😀", expected: "größer 😀" },
  { name: "text in colours", bytes: "\u001b[31mred\u001b[0m", expected: "\u001b[31mred\u001b[0m" },
  {
    name: "text of another charset",
    bytes: Buffer.from("größer", "latin1"),
    charset: "latin1",
    expected: "größer",
  },
  { name: "text of a charset that is none", bytes: "hi", charset: "klingon", expected: "hi" },
  { name: "a stray byte", bytes: Buffer.from([0xff, 0x41]), expected: "\ufffdA" },
  { name: "a byte that no text has", bytes: "a\0b", expected: "(3 bytes that are no text)" },
  { name: "nothing", bytes: "", expected: "" },
  { name: "too much text", bytes: "x".repeat(5000), expected: "x".repeat(maxEvidenceLength) },
  {
    name: "more bytes than are looked at",
    bytes: Buffer.alloc(5000),
    expected: "(5000 bytes that are no text)",
  },
  { name: "a cookie", bytes: "A: b\nSet-Cookie: c=d\r\nE: f", expected: "A: b\nE: f" },
  { name: "a cookie at the end", bytes: "A: b\nset-cookie: c", expected: "A: b\n" },
  { name: "a cookie on two lines", bytes: "Set-Cookie: c=d;\r\n e=f\r\n\r\nG", expected: "\r\nG" },
  { name: "a cookie with an odd end", bytes: "Set-Cookie: c=\u2028d\nE: f", expected: "E: f" },
  {
    name: "a word of cookies",
    bytes: "I ate: set-cookie: two",
    expected: "I ate: set-cookie: two",
  },
];

for (const { name, bytes, charset, expected } of texts) {
  test(`${name} is shown as ${JSON.stringify(expected.slice(0, 50))}`, () => {
    assert.equal(evidenceText(Buffer.from(bytes), charset), expected);
  });
}

test("no bytes are too odd to be shown, at no more than their cap", () => {
  const charset = fc.option(fc.constantFrom("utf-16le", "shift_jis", "x"), { nil: undefined });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), charset, (bytes, charset) => {
      assert.ok(evidenceText(bytes, charset).length <= maxEvidenceLength);
    }),
  );
});

const heads = [
  { name: "a status", head: { status: 404, headers: {} }, expected: "HTTP 404 Not Found" },
  { name: "a status that nobody knows", head: { status: 599, headers: {} }, expected: "HTTP 599" },
  {
    name: "headers, also such that come twice or not at all",
    head: { status: 200, headers: { a: "b", warning: ["c", "d"], e: undefined, f: "" } },
    expected: "HTTP 200 OK\na: b\nwarning: c\nwarning: d\ne: \nf:",
  },
  {
    name: "headers without what lets somebody in",
    head: {
      status: 200,
      headers: {
        "set-cookie": ["a=b", "c=d"],
        "authentication-info": "e",
        "proxy-authentication-info": "f",
        age: "1",
      },
    },
    body: "body",
    expected: "HTTP 200 OK\nage: 1\n\nbody",
  },
  {
    name: "a body in its charset",
    head: { status: 200, headers: { "content-type": 'text/plain; charset="UTF-16LE"' } },
    body: Buffer.from("größer", "utf16le"),
    expected: 'HTTP 200 OK\ncontent-type: text/plain; charset="UTF-16LE"\n\ngrößer',
  },
  {
    name: "a header in UTF-8, which arrives as Latin-1",
    head: { status: 200, headers: { a: Buffer.from("größer").toString("latin1") } },
    expected: "HTTP 200 OK\na: größer",
  },
];

for (const { name, head, body = "", expected } of heads) {
  test(`the evidence of the web has ${name}`, () => {
    assert.equal(httpEvidence(head, Buffer.from(body)), expected);
  });
}

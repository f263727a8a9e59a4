import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { bodyText, decodeText } from "./body-text.ts";

const bytes = (text: string, encoding: BufferEncoding = "utf8"): Buffer =>
  Buffer.from(text, encoding);

for (const [type, sent, text] of [
  [undefined, bytes("é"), "é"],
  ["application/json", bytes("\uFEFF{}"), "{}"],
  ["application/json; charset=UTF-8", bytes("é"), "é"],
  ['text/plain; a=b; charset="utf-8"', bytes("é"), "é"],
  ["application/json;charset=iso-8859-1", bytes("é", "latin1"), "é"],
  ["application/json; charset=utf-16", bytes("\uFEFFé", "utf16le"), "é"],
  ["application/json; charset=utf-16le", bytes("é", "utf16le"), "é"],
  ["application/json; charset=", bytes("é"), "é"],
] as const) {
  test(`a body of ${JSON.stringify(type)} is read in its charset`, () => {
    assert.equal(bodyText(sent, { "content-type": type }), text);
  });
}

for (const [type, sent] of [
  ["application/json", bytes("é", "latin1")],
  ["application/json; charset=utf-8", Buffer.from([0xed, 0xa0, 0x80])],
  ["application/json; charset=utf-16", Buffer.from([0x00])],
  ["application/json; charset=klingon", bytes("a")],
] as const) {
  test(`bytes that are no text of ${JSON.stringify(type)} are refused, not mended`, () => {
    assert.throws(() => bodyText(sent, { "content-type": type }), {
      code: "invalid_input",
      message: /^body: not text in the charset "/,
    });
  });
}

test("a compressed body is refused by the name of its encoding", () => {
  assert.throws(() => bodyText(gzipSync("{}"), { "content-encoding": "gzip" }), {
    code: "invalid_input",
    message: 'body: must not be compressed "gzip"',
  });
  assert.equal(bodyText(bytes("{}"), { "content-encoding": "Identity" }), "{}");
});

for (const { sent, charset, text } of [
  { sent: bytes("é"), charset: undefined, text: "é" },
  { sent: bytes("é", "latin1"), charset: "ISO-8859-1", text: "é" },
  { sent: bytes("é"), charset: "klingon", text: "é" },
  { sent: bytes("aé", "latin1"), charset: "utf-8", text: "a\ufffd" },
]) {
  test(`${sent.length} bytes of the charset ${charset} are mended where they are no text`, () => {
    assert.equal(decodeText(sent, charset), text);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { sipAnswer } from "../../../test/peers/sip.ts";
import {
  finalStatus,
  hostPort,
  isStartLine,
  optionsRequest,
  parseHead,
  type SipHead,
} from "./message.ts";

const question = {
  id: "0123abcd",
  host: "sip.example.com",
  port: 5070,
  transport: "udp",
  sentBy: "192.0.2.1:40000",
} as const;

test("a server is asked for its options in one request that names everything once", () => {
  assert.deepEqual(optionsRequest(question), [
    "OPTIONS sip:sip.example.com:5070 SIP/2.0",
    "Via: SIP/2.0/UDP 192.0.2.1:40000;branch=z9hG4bK0123abcd;rport",
    "Max-Forwards: 70",
    "From: <sip:watchpost@watchpost.invalid>;tag=0123abcd",
    "To: <sip:sip.example.com:5070>",
    "Call-ID: 0123abcd",
    "CSeq: 1 OPTIONS",
    "Accept: application/sdp",
    "User-Agent: Watchpost",
    "Content-Length: 0",
    "",
  ]);
});

test("the port is named where it is not the usual one, and an IPv6 address is in brackets", () => {
  assert.equal(hostPort("sip.example.com", undefined), "sip.example.com");
  assert.equal(hostPort("2001:db8::1", undefined), "[2001:db8::1]");
  assert.equal(hostPort("2001:db8::1", 5060), "[2001:db8::1]:5060");
});

const startLines: readonly (readonly [line: string, isOne: boolean])[] = [
  ["SIP/2.0 200 OK", true],
  ["sip/2.0 486 Busy Here", true],
  ["SIP/2.0 180", true],
  ["OPTIONS sip:a@b SIP/2.0", true],
  ["SIP/2.0 99 Low", false],
  ["SIP/2.0 700 High", false],
  ["SIP/2.0 2000 Long", false],
  ["SIP/3.0 200 OK", false],
  ["HTTP/1.1 200 OK", false],
  ["OPTIONS sip:a@b SIP/2.0 ", false],
  ["", false],
];

for (const [line, isOne] of startLines) {
  test(`${JSON.stringify(line)} ${isOne ? "begins" : "does not begin"} a message`, () => {
    assert.equal(isStartLine(line), isOne);
  });
}

const heads: readonly { name: string; lines: readonly string[]; head: SipHead }[] = [
  {
    name: "an answer",
    lines: ["SIP/2.0 200 OK", "Via: x", "Call-ID: a@b", "Content-Length: 12"],
    head: { status: 200, callId: "a@b", bodyBytes: 12 },
  },
  {
    name: "an answer in short names, in any case and with white space",
    lines: ["SIP/2.0 404 Not Found", "I :  a@b ", "l\t: 7"],
    head: { status: 404, callId: "a@b", bodyBytes: 7 },
  },
  {
    name: "an answer with a folded line",
    lines: ["SIP/2.0 200 OK", "Call-ID:", "  a@b", "\tc", "Server: x"],
    head: { status: 200, callId: "a@b c", bodyBytes: 0 },
  },
  {
    name: "a request",
    lines: ["OPTIONS sip:a@b SIP/2.0", "Call-ID: a@b"],
    head: { status: undefined, callId: "a@b", bodyBytes: 0 },
  },
  {
    name: "an answer without a name for its headers",
    lines: ["SIP/2.0 200 OK", ": a@b", "Call-ID"],
    head: { status: 200, callId: undefined, bodyBytes: 0 },
  },
  { name: "nothing", lines: [], head: { status: undefined, callId: undefined, bodyBytes: 0 } },
];

for (const { name, lines, head } of heads) {
  test(`the head of ${name} is read`, () => {
    assert.deepEqual(parseHead(lines), head);
  });
}

const status = (head: Partial<SipHead>): number | undefined =>
  finalStatus({ status: 200, callId: question.id, bodyBytes: 0, ...head }, question);

test("an answer is final from 200 on, and only to its own question", () => {
  assert.equal(status({}), 200);
  assert.equal(status({ status: 699 }), 699);
  assert.equal(status({ status: 199 }), undefined);
  assert.equal(status({ status: undefined }), undefined);
  assert.equal(status({ callId: "another" }), undefined);
  assert.equal(status({ callId: undefined }), undefined);
});

test("whatever id is asked with and whatever status is answered, it is found again", () => {
  const ids = fc.stringMatching(/^[\da-f]{32}$/);
  fc.assert(
    fc.property(ids, fc.integer({ min: 200, max: 699 }), (id, answered) => {
      const request = optionsRequest({ ...question, id }).join("\r\n");
      const lines = sipAnswer(request, `${answered} So it is`).split("\r\n");
      assert.equal(finalStatus(parseHead(lines), { id }), answered);
    }),
  );
});

test("no text is too odd to be read as a head", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (lines) => {
      assert.equal(finalStatus(parseHead(lines), question), undefined);
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import * as fc from "fast-check";

import { decodeEchoReply, encodeEchoRequest } from "./echo-socket.ts";

const token = "000102030405060708090a0b0c0d0e0f";
const reply = (head: string, rest = token): Buffer => Buffer.from(head + rest, "hex");

test("a request is as RFC 792 and RFC 4443 want it", () => {
  const echo = { token, sequence: 2 };
  assert.deepEqual(encodeEchoRequest(4, echo), reply("0800000000000002"));
  assert.deepEqual(encodeEchoRequest(6, echo), reply("8000000000000002"));
});

const rows = [
  { name: "a reply", packet: reply("0000beefcafe0002"), sequence: 2 },
  { name: "a reply of IPv6", family: 6, packet: reply("8100beefcafe0002"), sequence: 2 },
  { name: "a reply of the other family", packet: reply("8100beefcafe0002") },
  { name: "the request itself", packet: reply("0800beefcafe0002") },
  { name: "the request of IPv6 itself", family: 6, packet: reply("8000beefcafe0002") },
  { name: "a code that no reply has", packet: reply("0001beefcafe0002") },
  { name: "a reply with too little", packet: reply("0000beefcafe0002", token.slice(2)) },
  { name: "a reply with too much", packet: reply("0000beefcafe0002", `${token}00`) },
  { name: "a head alone", packet: reply("0000beefcafe0002", "") },
  { name: "nothing", packet: Buffer.alloc(0) },
] as const;

for (const { name, packet, ...row } of rows) {
  const sequence = "sequence" in row ? row.sequence : undefined;
  test(`${name} ${sequence === undefined ? "says nothing" : "is understood"}`, () => {
    const found = decodeEchoReply("family" in row ? row.family : 4, packet);
    assert.deepEqual(found, sequence === undefined ? undefined : { token, sequence });
  });
}

const families = fc.constantFrom(4 as const, 6 as const);
const tokens = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString("hex"));
const echoes = fc.tuple(tokens, fc.nat(0xff_ff)).map(([token, sequence]) => ({ token, sequence }));

function replyTo(family: 4 | 6, request: Buffer): Buffer {
  const reply = Buffer.from(request);
  reply.writeUInt8(family === 4 ? 0 : 129, 0);
  return reply;
}

test("a reply says again what the request said", () => {
  fc.assert(
    fc.property(families, echoes, (family, echo) => {
      const packet = replyTo(family, encodeEchoRequest(family, echo));
      assert.deepEqual(decodeEchoReply(family, packet), echo);
    }),
  );
});

test("a reply with any byte changed is none to that request, but for those that the kernel writes", () => {
  fc.assert(
    fc.property(families, echoes, fc.nat(23), fc.integer({ min: 1, max: 255 }), (...drawn) => {
      const [family, echo, at, change] = drawn;
      const packet = replyTo(family, encodeEchoRequest(family, echo));
      packet.writeUInt8(packet.readUInt8(at) ^ change, at);
      const isSame = isDeepStrictEqual(decodeEchoReply(family, packet), echo);
      assert.equal(isSame, at >= 2 && at < 6);
    }),
  );
});

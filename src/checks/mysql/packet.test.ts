import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { counted, countOf, error, framed } from "../../../test/peers/mysql.ts";
import { codeOf } from "../../kit/errors.ts";
import { errorIn, readerOf, mysqlConnection, type MysqlConnection } from "./packet.ts";

/** A connection that receives these bytes, and what it sends. */
function talkOver(
  ...bytes: readonly Buffer[]
): MysqlConnection & { readonly said: readonly Buffer[] } {
  const said: Buffer[] = [];
  const { take } = readerOf(Buffer.concat(bytes));
  const talk = mysqlConnection({
    read: async (length) => take(length),
    write: (packet) => void said.push(Buffer.from(packet)),
    startTls: () => Promise.reject(new Error("no TLS here")),
  });
  return { ...talk, said };
}

const hello = Buffer.from("hello");
const bad = (message: string) => ({ code: "protocol_error", message });

test("packets come in the order in which both sides count them", async () => {
  const talk = talkOver(framed(hello, 0), framed(hello, 2), framed(Buffer.alloc(0), 3));
  assert.deepEqual(await talk.read(), hello);
  talk.write(hello);
  assert.deepEqual(await talk.read(), hello);
  assert.deepEqual(await talk.read(), Buffer.alloc(0));
  talk.command(hello);
  assert.deepEqual(talk.said, [framed(hello, 1), framed(hello, 0)]);
});

test("a packet out of order is none, unless it is an error", async () => {
  await assert.rejects(talkOver(framed(hello, 1)).read(), bad("packets out of order"));
  const last = error(1927, "Connection was killed");
  const talk = talkOver(framed(last, 7), framed(hello, 8));
  assert.deepEqual(await talk.read(), last);
  assert.deepEqual(await talk.read(), hello);
});

test("after packet 255 comes packet 0", async () => {
  const packets = Array.from({ length: 258 }, (_, number) => framed(hello, number));
  const talk = talkOver(...packets);
  for (const _ of packets) assert.deepEqual(await talk.read(), hello);
  talk.write(hello);
  assert.deepEqual(talk.said, [framed(hello, 2)]);
});

for (const state of ["#HY000", ""]) {
  test(`an error is read with the SQL state ${JSON.stringify(state)}`, () => {
    const read = errorIn(error(1040, "Too many connections", state));
    assert.deepEqual(read, { code: 1040, text: "Too many connections" });
  });
}

test("what is no error is read as none", () => {
  assert.equal(errorIn(hello), undefined);
  assert.equal(errorIn(Buffer.alloc(0)), undefined);
  assert.throws(() => errorIn(Buffer.from([0xff, 1])), bad("a packet that is cut off"));
});

test("every length is read as it was written", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 24 - 1 }), (length) => {
      assert.equal(readerOf(countOf(length)).count(), length);
    }),
  );
  const eight = Buffer.from([0xfe, 1, 0, 0, 0, 1, 0, 0, 0]);
  assert.equal(readerOf(eight).count(), 2 ** 32 + 1);
  assert.equal(readerOf(Buffer.from([0xfb])).count(), undefined);
  assert.throws(() => readerOf(Buffer.from([0xff])).count(), bad("a length that is none"));
});

test("every text is read as it was written, whatever stands behind it", () => {
  const word = fc.string({ unit: "grapheme", maxLength: 300 });
  fc.assert(
    fc.property(fc.array(fc.option(word, { nil: undefined })), fc.uint8Array(), (words, rest) => {
      const reader = readerOf(Buffer.concat([...words.map(counted), rest]));
      assert.deepEqual(
        words.map(() => reader.text()),
        words,
      );
      assert.deepEqual(reader.rest(), Buffer.from(rest));
    }),
  );
});

test("a text ends at its zero, or with the packet", () => {
  const reader = readerOf(Buffer.from("one\0\0two"));
  assert.deepEqual(
    [reader.textToZero(), reader.textToZero(), reader.textToZero()],
    ["one", "", "two"],
  );
  assert.equal(reader.rest().length, 0);
});

test("nothing is read past the end of a packet, whatever its bytes", () => {
  const ways = fc.constantFrom("count", "text", "textToZero", "integer", "take");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.array(ways), (bytes, asked) => {
      const reader = readerOf(Buffer.from(bytes));
      try {
        for (const way of asked) {
          if (way === "integer") reader.integer(3);
          else if (way === "take") reader.take(5);
          else reader[way]();
        }
      } catch (error) {
        assert.equal(codeOf(error), "protocol_error");
      }
      assert.ok(reader.rest().length <= bytes.length);
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { array, assert as assertProperty, nat, property, uint8Array } from "fast-check";

import { createByteQueue } from "./byte-queue.ts";

test("what is taken is what was appended, in however many pieces", () => {
  const pieces = array(uint8Array({ maxLength: 3000 }));
  assertProperty(
    property(pieces, array(nat({ max: 2000 })), (appended, lengths) => {
      const queue = createByteQueue();
      let kept = Buffer.alloc(0);
      for (const [index, bytes] of appended.entries()) {
        void queue.append(bytes);
        kept = Buffer.concat([kept, bytes]);
        assert.equal(queue.indexOf(10), kept.indexOf(10));
        const taken = queue.take(lengths[index] ?? 0);
        assert.deepEqual(taken, kept.subarray(0, lengths[index] ?? 0));
        kept = kept.subarray(taken.length);
        assert.equal(queue.length(), kept.length);
      }
      assert.deepEqual(queue.take(Infinity), kept);
    }),
  );
});

// guard: memory that is left behind
test("what a queue has left behind takes no memory until a collection", () => {
  const queue = createByteQueue();
  const before = process.memoryUsage().arrayBuffers;
  const piece = Buffer.alloc(65_536);
  for (let number = 0; number < 400; number += 1) void queue.append(piece);
  const taken = queue.take(Infinity);
  const more = process.memoryUsage().arrayBuffers - before;
  assert.ok(more < 1.1 * taken.length, `${more} bytes for ${taken.length}`);
});

test("what was taken stays as it is", () => {
  const queue = createByteQueue();
  void queue.append(Buffer.from("first"));
  const taken = queue.take(5);
  void queue.append(Buffer.alloc(5000, "x"));
  assert.equal(taken.toString(), "first");
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import * as fc from "fast-check";

import { createSealer, hashToken, constantTimeEquals } from "./seal.ts";

const sealer = createSealer(randomBytes(32));

test("what is sealed opens as it was, and reads the same never twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (plain) => {
      assert.equal(sealer.open(sealer.seal(plain)), plain);
      assert.notDeepEqual(sealer.seal(plain), sealer.seal(plain));
    }),
  );
});

test("what was changed, or sealed with another key, does not open", () => {
  const sealed = Buffer.from(sealer.seal("secret"));
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    assert.throws(() => sealer.open(changed));
  }
  assert.throws(() => createSealer(randomBytes(32)).open(sealed));
});

// guard: what a message was sealed for
test("what was sealed in a context opens in no other one", () => {
  const sealed = sealer.seal("secret", "job 1");
  assert.equal(sealer.open(sealed, "job 1"), "secret");
  for (const context of ["job 2", "", undefined]) assert.throws(() => sealer.open(sealed, context));
});

test("a shortened tag is refused", () => {
  const sealed = sealer.seal("");
  for (let length = 0; length < sealed.length; length += 1)
    assert.throws(() => sealer.open(sealed.subarray(0, length)));
});

test("a key for a purpose is always the same, and nobody else's", () => {
  assert.deepEqual(sealer.deriveKey("a"), sealer.deriveKey("a"));
  assert.equal(sealer.deriveKey("a").length, 32);
  assert.notDeepEqual(sealer.deriveKey("a"), sealer.deriveKey("b"));
  assert.notDeepEqual(sealer.deriveKey("a"), createSealer(randomBytes(32)).deriveKey("a"));
});

test("two secrets are the same only where every byte is", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) =>
      assert.equal(constantTimeEquals(one, other), one === other),
    ),
  );
  fc.assert(fc.property(fc.string(), (one) => assert.ok(constantTimeEquals(one, one))));
});

// guard: tokens as digests
test("a digest does not hold the token", () => {
  assert.match(hashToken("token"), /^[\w-]{43}$/);
  assert.notEqual(hashToken("token"), hashToken("Token"));
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import * as fc from "fast-check";

import { createSealer, digest, sameSecret } from "./seal.ts";

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

test("a key for a purpose is always the same, and nobody else's", () => {
  assert.deepEqual(sealer.derive("a"), sealer.derive("a"));
  assert.equal(sealer.derive("a").length, 32);
  assert.notDeepEqual(sealer.derive("a"), sealer.derive("b"));
  assert.notDeepEqual(sealer.derive("a"), createSealer(randomBytes(32)).derive("a"));
});

test("two secrets are the same only where every byte is", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) =>
      assert.equal(sameSecret(one, other), one === other),
    ),
  );
  fc.assert(fc.property(fc.string(), (one) => assert.ok(sameSecret(one, one))));
});

test("a digest does not hold the token", () => {
  assert.match(digest("token"), /^[\w-]{43}$/);
  assert.notEqual(digest("token"), digest("Token"));
});

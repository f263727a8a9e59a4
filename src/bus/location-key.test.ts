import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { createSealer } from "../kit/crypto/seal.ts";
import {
  createLocationSealers,
  deriveLocationKey,
  parseLocationKey,
  writeLocationKey,
} from "./location-key.ts";

const instance = createSealer(randomBytes(32));

test("what the service seals opens with the key that the location was given, and with no other", () => {
  const sealerOf = createLocationSealers(instance);
  const given = parseLocationKey(writeLocationKey(deriveLocationKey(instance, "ny", 2)));
  assert.equal(given.generation, 2);
  const sealed = sealerOf("ny", 2).seal("secret", "job");
  assert.equal(createSealer(given.key).open(sealed, "job"), "secret");
  for (const [location, generation] of [
    ["ny", 1],
    ["ld", 2],
  ] as const)
    assert.throws(() => sealerOf(location, generation).open(sealed, "job"));
});

for (const text of ["", "1.short", `0.${"A".repeat(43)}`, "A".repeat(43), `1.${"A".repeat(44)}`])
  test(`${JSON.stringify(text)} is no key of a location`, () => {
    assert.throws(() => parseLocationKey(text), { code: "invalid_input" });
  });

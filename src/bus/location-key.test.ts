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

const nam = { generation: 2, region: "nam" } as const;

// guard: keys of locations
test("what the service seals opens with the key that the location was given, and with no other", () => {
  const sealerOf = createLocationSealers(instance);
  const given = parseLocationKey(writeLocationKey(deriveLocationKey(instance, "ny", nam)));
  assert.deepEqual([given.generation, given.region], [2, "nam"]);
  const sealed = sealerOf("ny", nam).seal("secret", "job");
  assert.equal(createSealer(given.key).open(sealed, "job"), "secret");
  for (const [location, id] of [
    ["ny", { ...nam, generation: 1 }],
    ["ld", nam],
    ["ny", { ...nam, region: undefined }],
    ["ny", { ...nam, region: "eur" }],
  ] as const)
    assert.throws(() => sealerOf(location, id).open(sealed, "job"));
});

test("a location without a region has a key of its own", () => {
  const every = { generation: 1, region: undefined };
  const key = deriveLocationKey(instance, "ny", every);
  assert.match(writeLocationKey(key), /^1-every\./);
  const parsed = parseLocationKey(writeLocationKey(key));
  assert.deepEqual([parsed.region, [...parsed.key]], [undefined, [...key.key]]);
});

const key = "A".repeat(43);
for (const text of [
  "",
  "1-nam.short",
  `0-nam.${key}`,
  key,
  `1-nam.${key}A`,
  `1-wlw.${key}`,
  `1-NAM.${key}`,
])
  test(`${JSON.stringify(text)} is no key of a location`, () => {
    assert.throws(() => parseLocationKey(text), /must be a key as `watchpost location create`/);
  });

test("a key of an older version is refused with what to do", () => {
  assert.throws(
    () => parseLocationKey(`1.${key}`),
    /holds no region.*location create <code> --region/,
  );
});

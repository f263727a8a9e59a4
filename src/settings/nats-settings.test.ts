import assert from "node:assert/strict";
import { test } from "node:test";

import { InvalidInput } from "../kit/errors.ts";
import { readConfig, type Config } from "./config.ts";

type Given = Readonly<Record<string, string>>;

const seed = `SU${"A".repeat(56)}`;
const key = `1-nam.${"A".repeat(43)}`;

function read(given: Given): Config {
  return readConfig({ WATCHPOST_FILE: "/dev/null", ...given });
}

for (const [url, servers, requiresTls] of [
  ["nats://nats.example.com", ["nats.example.com:4222"], false],
  ["tls://192.0.2.1:4333/", ["192.0.2.1:4333"], true],
  ["tls://[2001:db8::1]", ["[2001:db8::1]:4222"], true],
  ["tls://a.example, tls://b.example:5", ["a.example:4222", "b.example:5"], true],
] as const) {
  test(`${url} is a NATS server`, () => {
    const given = { WATCHPOST_NATS_URL: url };
    assert.deepEqual(read(given).WATCHPOST_NATS_URL, { servers, requiresTls });
  });
}

const at = { WATCHPOST_NATS_URL: "nats://x" };
const refused: readonly (readonly [string, Given, RegExp])[] = [
  ["another scheme", { WATCHPOST_NATS_URL: "http://x" }, /^WATCHPOST_NATS_URL: must be URLs/],
  ["no host", { WATCHPOST_NATS_URL: "nats://" }, /^WATCHPOST_NATS_URL: must be URLs/],
  ["an empty part", { WATCHPOST_NATS_URL: "nats://x,," }, /^WATCHPOST_NATS_URL: must be URLs/],
  ["credentials", { WATCHPOST_NATS_URL: "nats://a:b@x" }, /without credentials/],
  ["a path", { WATCHPOST_NATS_URL: "nats://x/y" }, /without credentials and path/],
  ["two schemes", { WATCHPOST_NATS_URL: "nats://x,tls://y" }, /all with nats:\/\/ or all with/],
  ["no seed", { ...at, WATCHPOST_NATS_NKEY: "UABC" }, /^WATCHPOST_NATS_NKEY: must be the seed/],
  ["no key", { ...at, WATCHPOST_LOCATION_KEY: "ABC" }, /^WATCHPOST_LOCATION_KEY: must be a key/],
  ["a seed without a server", { WATCHPOST_NATS_NKEY: seed }, /^WATCHPOST_NATS_URL: required with/],
  ["a key without a server", { WATCHPOST_LOCATION_KEY: key }, /^WATCHPOST_NATS_URL: required with/],
];

for (const [name, given, said] of refused) {
  test(`${name} is refused with a sentence that does not show it`, () => {
    assert.throws(
      () => read(given),
      (error) => {
        assert.ok(error instanceof InvalidInput);
        assert.match(error.message, said);
        assert.doesNotMatch(error.message, /a:b@|UABC/);
        return true;
      },
    );
  });
}

test("seeds and keys are not shown by accident", () => {
  const config = read({ ...at, WATCHPOST_NATS_NKEY: seed, WATCHPOST_LOCATION_KEY: key });
  assert.doesNotMatch(JSON.stringify(config), /AAAA/);
  assert.equal(config.WATCHPOST_NATS_NKEY?.reveal(), seed);
  assert.equal(config.WATCHPOST_LOCATION_KEY?.reveal(), key);
});

import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { parseHost } from "./host.ts";

const rows = [
  { written: "example.com", host: "example.com" },
  { written: "EXAMPLE.com", host: "example.com" },
  { written: "example.com.", host: "example.com." },
  { written: "db", host: "db" },
  { written: "my_service", host: "my_service" },
  { written: "bücher.example", host: "xn--bcher-kva.example" },
  { written: "192.0.2.1", host: "192.0.2.1" },
  { written: "0177.0.0.1", host: "127.0.0.1" },
  { written: "2130706433", host: "127.0.0.1" },
  { written: "0x7f.1", host: "127.0.0.1" },
  { written: "127.1", host: "127.0.0.1" },
  { written: "127.0.0.1.", host: "127.0.0.1" },
  { written: "①②⑦.0.0.1", host: "127.0.0.1" },
  { written: "%31%32%37.0.0.1", host: "127.0.0.1" },
  { written: "::1", host: "::1" },
  { written: "[::1]", host: "::1" },
  { written: "fe80::1%eth0", host: "fe80::1%eth0" },
  { written: "", host: undefined },
  { written: "[example.com]", host: undefined },
  { written: "[::1", host: undefined },
  { written: "[127.0.0.1]", host: undefined },
  { written: "[::1]:80", host: undefined },
  { written: "example.com:80", host: undefined },
  { written: "good@example.com", host: undefined },
  { written: "example.com/path", host: undefined },
  { written: "example.com\\path", host: undefined },
  { written: "example.com?a", host: undefined },
  { written: "example.com#a", host: undefined },
  { written: "example.com\r\nQUIT", host: undefined },
  { written: " example.com", host: undefined },
  { written: "256.256.256.256", host: undefined },
] as const;

for (const { written, host } of rows) {
  test(`the host ${JSON.stringify(written)} reads as ${JSON.stringify(host)}`, () => {
    assert.equal(parseHost(written), host);
  });
}

test("a host that was read reads as itself", () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
      const host = parseHost(text);
      assert.equal(host === undefined ? undefined : parseHost(host), host);
    }),
  );
});

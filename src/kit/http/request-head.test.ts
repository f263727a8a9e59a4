import assert from "node:assert/strict";
import test from "node:test";

import { rawHeaders, portOf, requestTarget } from "./request-head.ts";

const tunnels = [
  { target: "http://proxy.test:3128/a?b", authority: "proxy.test:3128", port: 3128 },
  { target: "http://alice:secret@proxy.test/", authority: "proxy.test:80", port: 80 },
  { target: "https://proxy.test", authority: "proxy.test:443", port: 443 },
  { target: "http://[::1]:8080", authority: "[::1]:8080", port: 8080 },
];

for (const { target, authority, port } of tunnels) {
  test(`a tunnel is asked for through ${target} to ${authority} itself`, () => {
    const head = { url: new URL(target), method: "CONNECT", readBody: false };
    const [host, named] = rawHeaders(head);
    assert.deepEqual([requestTarget(head), host, named], [authority, "Host", authority]);
    assert.equal(portOf(head.url), port);
  });
}

const badHeaders: readonly Readonly<Record<string, string>>[] = [
  { "X-One": "1\r\nX-Two: 2" },
  { "X-One": "1\nX-Two: 2" },
  { "X-One\r\nX-Two": "1" },
  { "X One": "1" },
  { "": "1" },
  { "X-One": "\u0000" },
  { "X-One": "snow\u2603" },
  { "Content-Length": "5" },
  { "transfer-encoding": "chunked" },
  { Connection: "keep-alive" },
  { Upgrade: "h2c" },
  { Expect: "100-continue" },
];

for (const headers of badHeaders) {
  // guard: characters of headers
  // guard: headers that cannot be set
  test(`the header ${JSON.stringify(headers)} is refused`, () => {
    const head = { url: new URL("http://example.com/"), method: "GET", headers, readBody: false };
    assert.throws(() => rawHeaders(head), { code: "invalid_input" });
  });
}

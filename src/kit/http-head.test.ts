import assert from "node:assert/strict";
import test from "node:test";

import { headerLines, portOf, requestTarget } from "./http-head.ts";

const tunnels = [
  { target: "http://proxy.test:3128/a?b", authority: "proxy.test:3128", port: 3128 },
  { target: "http://alice:secret@proxy.test/", authority: "proxy.test:80", port: 80 },
  { target: "https://proxy.test", authority: "proxy.test:443", port: 443 },
  { target: "http://[::1]:8080", authority: "[::1]:8080", port: 8080 },
];

for (const { target, authority, port } of tunnels) {
  test(`a tunnel is asked for through ${target} to ${authority} itself`, () => {
    const head = { url: new URL(target), method: "CONNECT", readBody: false };
    const [host, named] = headerLines(head);
    assert.deepEqual([requestTarget(head), host, named], [authority, "Host", authority]);
    assert.equal(portOf(head.url), port);
  });
}
